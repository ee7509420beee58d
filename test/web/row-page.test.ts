import { expect, test } from 'vitest'
import { maskDocument } from '../../src/domain/document.ts'
import { listAudit } from '../../src/views/installation.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb()
const admin = await t.operator('admin')
const analyst = await t.operator('analyst')

const people = (documents: string[]) =>
  `Nome;CPF;Código;Cidade\n${documents.map((document, i) => `Maria Aparecida ${i};${document};SP-${i};Olinda ${document}`).join('\n')}\n`

t.sandbox.plantChange(cpf(0), {
  figures: { ISDEFENDANT_WITH_RISK: { count: 3, cents: 1_234_567 }, EXECUTION_WITH_RISK: { count: 1, cents: 5_000 } },
})
const id = await t.done(people(cpfs(2)))

test('a row opens with the registry’s answer and the cells of the file, names and documents masked', async () => {
  const page = await t.page(`/batches/${id}/rows/2`, analyst)
  expect(page).toContain('R$12,345.67')
  expect(page.indexOf('Risk indicators')).toBeLessThan(page.indexOf('>History<'))
  expect(page.indexOf('Defendant, at risk')).toBeLessThan(page.indexOf('Other indicators'))
  expect(page).toContain('<code>SP-0</code>')
  expect(page).toContain('Ma*** Apa*** 0')
  expect(page).toContain(`Olinda ${maskDocument(cpf(0))}`)
  for (const hidden of ['Maria', 'Aparecida', cpf(0)]) expect(page).not.toContain(hidden)
  const portuguese = await t.page(`/batches/${id}/rows/2`, analyst, 'pt-BR')
  expect(portuguese).toContain('Resposta do serviço')
  expect(portuguese).toContain('12.345,67')

  const rows = await t.page(`/batches/${id}`, analyst)
  expect(rows).toContain('SP-1')
  expect(rows).toContain('Ma*** Apa*** 1')
  expect(rows).toContain('R$12,345.67')
  expect(rows).not.toContain('Aparecida')
})

test('an administrator can show names and documents in full, and the audit log records it', async () => {
  const page = await (await t.post(`/batches/${id}/rows/2/reveal`, admin)).text()
  expect(page).toContain('Maria Aparecida 0')
  expect(page).toContain(`Olinda ${cpf(0)}`)
  expect((await listAudit(t.sql, 1))[0]).toMatchObject({ what: 'reveal', subject: `batch ${id} line 2` })
})

test('the registry’s spreadsheet of a row is forwarded, and the download is in the audit log', async () => {
  expect(await t.page(`/batches/${id}/rows/2`, analyst)).toContain('/rows/2/spreadsheet')
  const reply = await t.call(`/batches/${id}/rows/2/spreadsheet`, { token: analyst })
  expect(reply.status).toBe(200)
  expect(await reply.text()).toMatch(/^PK/)
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="${id}-2.xlsx"; filename*=UTF-8''${id}-2.xlsx`,
  )
  expect((await listAudit(t.sql, 1))[0]).toMatchObject({ what: 'download', detail: { file: 'spreadsheet' } })
  expect((await t.call(`/batches/${id}/rows/9/spreadsheet`, { token: analyst })).status).toBe(404)
})

test.each([
  ['cnh', 'Category', 'Categoria'],
  ['scr', 'Institutions', 'Instituições'],
  ['processes', 'Lawsuits', 'Processos'],
] as const)('an answer of the kind %s is read as names and values in both languages', async (kind, en, pt) => {
  const id = await t.done(people(cpfs(2, 10)), { kind })
  const read = (language: string) => t.page(`/batches/${id}/rows/2`, analyst, language)
  expect(await read('en')).toContain(`<dt>${en}</dt>`)
  expect(await read('pt-BR')).toContain(`<dt>${pt}</dt>`)
  expect(await read('en')).not.toContain(cpf(10))
})

test('list and row, page and API, show a process number in full, and mask a CPF in its column', async () => {
  const process = '0058967-77.2016.8.19.0000'
  const dotted = cpf(1).replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
  const mistyped = '52998224724'
  const withoutZero = zeroFirst.slice(1)
  const file = `numero_processo\n${[process, '12345/98', cpf(0), dotted, mistyped, withoutZero].join('\n')}\n`
  const id = await t.done(file, { kind: 'inactivation' })
  const documents = [cpf(0), cpf(1), mistyped, zeroFirst].map(maskDocument)
  const shown = [process, '12345/98', ...documents]
  expect(await shownEverywhere(id)).toEqual(shown.map((each) => Array(4).fill(each)))

  const revealed = await t.post(`/batches/${id}/rows/5/reveal`, admin)
  expect(documentsOn(await revealed.text())).toEqual([dotted])
  await t.sql`update vigia.lookup set question = 'erased:' || id, current = false where question = ${process}`
  expect((await shownEverywhere(id))[0]).toEqual(Array(4).fill('***'))
})

const zeroFirst = '01234567890'

test('an erased person has no document on any page, whatever number replaced it', async () => {
  const id = await t.done(people(cpfs(2, 20)))
  await t.sql`update vigia.lookup set question = 'erased:1234', current = false where question = ${cpf(20)}`
  expect(await shownEverywhere(id)).toEqual([Array(4).fill('***'), Array(4).fill(maskDocument(cpf(21)))])
})

/** The document of each row as shown in both lists, on its page and in its API answer. */
const shownEverywhere = async (id: bigint): Promise<string[][]> => {
  const { rows } = await t.json(`/api/batches/${id}/rows`, admin)
  const onList = documentsOn(await t.page(`/batches/${id}/rows`, admin))
  return await Promise.all(
    rows.map(async ({ line, document }: { line: number; document: string }, at: number) => {
      const history = await t.json(`/api/batches/${id}/rows/${line}`, admin)
      const [onPage] = documentsOn(await t.page(`/batches/${id}/rows/${line}`, admin))
      return [document, onList[at], history.document, onPage]
    }),
  )
}

const documentsOn = (page: string): string[] => [...page.matchAll(/class="document">([^<]*)/g)].map(([, text]) => text!)

test('a parked row that its batch left is settled only from the other batch', async () => {
  const left = await t.done(people(cpfs(1, 30)))
  const asking = await t.done(csvOf(cpfs(1, 30)))
  await t.sql`update vigia.batch_row set cancelled = true where batch_id = ${left}`
  await t.sql`update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', batch_id = ${asking} where question = ${cpf(30)}`
  const read = (id: bigint) => t.page(`/batches/${id}/rows/2`, admin)

  expect(await read(asking)).toContain(`/batches/${asking}/rows/2/resolve`)
  expect(await read(left)).not.toContain('/resolve')
  const refused = await t.post(`/batches/${left}/rows/2/resolve`, admin, { choice: 'resend' })
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain(`Line 2 of batch ${left} was transferred to another batch`)
})
