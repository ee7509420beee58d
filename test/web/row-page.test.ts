import { expect, test } from 'vitest'
import { maskDocument } from '../../src/domain/document.ts'
import { listAudit } from '../../src/views/installation.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { setupWeb, type WebSetup } from './setup.ts'

const people = (documents: string[]) =>
  `Nome;CPF;Código;Cidade\n${documents.map((document, i) => `Maria Aparecida ${i};${document};SP-${i};Olinda ${document}`).join('\n')}\n`

test('a row opens with the registry’s answer and the cells of the file, names and documents masked', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  t.sandbox.plantChange(cpf(0), {
    figures: { ISDEFENDANT_WITH_RISK: { count: 3, cents: 1_234_567 }, EXECUTION_WITH_RISK: { count: 1, cents: 5_000 } },
  })
  const id = await t.submit(people(cpfs(2)))
  await t.finished(id)
  const read = async (path: string, language = 'en') =>
    (await t.call(path, { token, headers: { 'accept-language': language } })).text()
  const page = await read(`/batches/${id}/rows/2`)
  expect(page).toContain('R$12,345.67')
  expect(page.indexOf('Risk indicators')).toBeLessThan(page.indexOf('>History<'))
  expect(page.indexOf('Defendant, at risk')).toBeLessThan(page.indexOf('Other indicators'))
  expect(page).toContain('<code>SP-0</code>')
  expect(page).toContain('Ma*** Apa*** 0')
  expect(page).toContain(`Olinda ${maskDocument(cpf(0))}`)
  for (const hidden of ['Maria', 'Aparecida', cpf(0)]) expect(page).not.toContain(hidden)
  const portuguese = await read(`/batches/${id}/rows/2`, 'pt-BR')
  expect(portuguese).toContain('Resposta do serviço')
  expect(portuguese).toContain('12.345,67')

  const rows = await read(`/batches/${id}`)
  expect(rows).toContain('SP-1')
  expect(rows).toContain('Ma*** Apa*** 1')
  expect(rows).toContain('R$12,345.67')
  expect(rows).not.toContain('Aparecida')
})

test('an administrator can show names and documents in full, and the audit log records it', async () => {
  await using t = await setupWeb()
  const token = await t.operator('admin')
  const id = await t.submit(people(cpfs(1)))
  await t.finished(id)
  const page = await (await t.call(`/batches/${id}/rows/2/reveal`, { token, method: 'POST' })).text()
  expect(page).toContain('Maria Aparecida 0')
  expect(page).toContain(`Olinda ${cpf(0)}`)
  expect((await listAudit(t.sql, 1))[0]).toMatchObject({ what: 'reveal', subject: `batch ${id} line 2` })
})

test('the registry’s spreadsheet of a row is forwarded, and the download is in the audit log', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  const id = await t.submit(people(cpfs(1)))
  await t.finished(id)
  expect(await (await t.call(`/batches/${id}/rows/2`, { token })).text()).toContain('/rows/2/spreadsheet')
  const reply = await t.call(`/batches/${id}/rows/2/spreadsheet`, { token })
  expect(reply.status).toBe(200)
  expect(
    Buffer.from(await reply.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${id}-2.xlsx"`)
  expect((await listAudit(t.sql, 1))[0]).toMatchObject({ what: 'download', detail: { file: 'spreadsheet' } })
  expect((await t.call(`/batches/${id}/rows/9/spreadsheet`, { token })).status).toBe(404)
})

test.each([
  ['cnh', 'Category', 'Categoria'],
  ['scr', 'Institutions', 'Instituições'],
  ['processes', 'Lawsuits', 'Processos'],
] as const)('an answer of the kind %s is read as names and values in both languages', async (kind, en, pt) => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  const id = await t.submit(people(cpfs(2)), { kind })
  await t.finished(id)
  const read = async (language: string) =>
    (await t.call(`/batches/${id}/rows/2`, { token, headers: { 'accept-language': language } })).text()
  expect(await read('en')).toContain(`<dt>${en}</dt>`)
  expect(await read('pt-BR')).toContain(`<dt>${pt}</dt>`)
  expect(await read('en')).not.toContain(cpf(0))
})

test('list and row, page and API, show a process number in full, and mask a CPF in its column', async () => {
  await using t = await setupWeb()
  const token = await t.operator('admin')
  const process = '0058967-77.2016.8.19.0000'
  const dotted = cpf(1).replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
  const mistyped = '52998224724'
  const withoutZero = zeroFirst.slice(1)
  const file = `numero_processo\n${[process, '12345/98', cpf(0), dotted, mistyped, withoutZero].join('\n')}\n`
  const id = await t.submit(file, { kind: 'inactivation' })
  await t.finished(id)
  const documents = [cpf(0), cpf(1), mistyped, zeroFirst].map(maskDocument)
  const shown = [process, '12345/98', ...documents]
  expect(await shownEverywhere(t, token, id)).toEqual(shown.map((each) => Array(4).fill(each)))

  const revealed = await t.call(`/batches/${id}/rows/5/reveal`, { token, method: 'POST' })
  expect(documentsOn(await revealed.text())).toEqual([dotted])
  await t.sql`update vigia.lookup set question = 'erased:' || id, current = false where question = ${process}`
  expect((await shownEverywhere(t, token, id))[0]).toEqual(Array(4).fill('***'))
})

const zeroFirst = '01234567890'

test('an erased person has no document on any page, whatever number replaced it', async () => {
  await using t = await setupWeb()
  const token = await t.operator('admin')
  const id = await t.submit(people(cpfs(2)))
  await t.finished(id)
  await t.sql`update vigia.lookup set question = 'erased:1234', current = false where question = ${cpf(0)}`
  expect(await shownEverywhere(t, token, id)).toEqual([Array(4).fill('***'), Array(4).fill(maskDocument(cpf(1)))])
})

/** The document of each row as shown in both lists, on its page and in its API answer. */
const shownEverywhere = async (t: WebSetup, token: string, id: bigint): Promise<string[][]> => {
  const read = async (path: string) => await t.call(path, { token })
  const { rows } = await (await read(`/api/batches/${id}/rows`)).json()
  const onList = documentsOn(await (await read(`/batches/${id}/rows`)).text())
  return await Promise.all(
    rows.map(async ({ line, document }: { line: number; document: string }, at: number) => {
      const history = await (await read(`/api/batches/${id}/rows/${line}`)).json()
      const [onPage] = documentsOn(await (await read(`/batches/${id}/rows/${line}`)).text())
      return [document, onList[at], history.document, onPage]
    }),
  )
}

const documentsOn = (page: string): string[] => [...page.matchAll(/class="document">([^<]*)/g)].map(([, text]) => text!)

test('a parked row that its batch left is settled only from the other batch', async () => {
  await using t = await setupWeb()
  const token = await t.operator('admin')
  const left = await t.submit(people(cpfs(1)))
  await t.finished(left)
  const asking = await t.submit(csvOf(cpfs(1)))
  await t.finished(asking)
  await t.sql`update vigia.batch_row set cancelled = true where batch_id = ${left}`
  await t.sql`update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', batch_id = ${asking}`
  const read = async (id: bigint) => (await t.call(`/batches/${id}/rows/2`, { token })).text()

  expect(await read(asking)).toContain(`/batches/${asking}/rows/2/resolve`)
  expect(await read(left)).not.toContain('/resolve')
  const body = new URLSearchParams({ choice: 'resend' })
  const headers = { 'accept-language': 'en' }
  const refused = await t.call(`/batches/${left}/rows/2/resolve`, { token, method: 'POST', body, headers })
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain(`Line 2 of batch ${left} was transferred to another batch`)
})
