import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatDocument, maskDocument } from '../../src/domain/document.ts'
import { writeChangesFile } from '../../src/monitoring/changes-file.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb()
const admin = await t.operator('admin')
const analyst = await t.operator('analyst')
const ops = await t.operator('ops')

/** Two files about Ana, the newer one with another reference; Rui has only a radar, Eva both. Something of each changed. */
const fill = async (): Promise<bigint> => {
  for (const ref of ['OLD-1', 'K-7']) {
    await t.done(`nome;cpf;ref\nAna Souza;${cpf(1)};${ref}\nEva Lima;${cpf(3)};E-3\n`, { kind: 'processes' })
  }
  const { organizationId } = t.sandbox.account
  const [sweep] = await t.sql<{ id: bigint }[]>`
    insert into vigia.sweep (name, slot, state, trigger, due, verified, changed, started_at)
    values ('radars', '2026-11-15T02:00', 'done', 'schedule', 2, 2, 2, '2026-11-15T02:00-03') returning id`
  await t.sql`
    insert into vigia.radar (organization_id, document, document_type, name, seen_at)
    values (${organizationId}, ${cpf(2)}, 'CPF', 'Rui no registro', now()),
           (${organizationId}, ${cpf(3)}, 'CPF', 'Eva no registro', now())`
  await t.sql`
    insert into vigia.change (sweep_id, organization_id, document, field, verdict, before, after, weight, seen_at)
    values (${sweep!.id}, ${organizationId}, ${cpf(1)}, 'processes', 'worse', '1', '2', 9, now()),
           (${sweep!.id}, ${organizationId}, ${cpf(2)}, 'processes', 'worse', '1', '2', 8, now()),
           (${sweep!.id}, ${organizationId}, ${cpf(3)}, 'processes', 'worse', '1', '2', 7, now())`
  return sweep!.id
}

test('a change shows the name from the newest file about its document: masked on screens, in full in files', async () => {
  const sweep = await fill()

  const page = await t.page('/changes', analyst)
  expect(page).toContain('<small class="own">A*** So*** · <span class="ref">K-7</span></small>')
  expect(page).not.toContain('OLD-1')
  // A document has one name: the registry's, without the masked one of the file below it.
  expect(page).toMatch(/Eva no registro.*<small class="own"><span class="ref">E-3</s)
  expect(page).not.toContain('E*** L')
  const { changes } = await t.json('/api/radars/changes', analyst)
  expect(changes).toMatchObject([
    { document: maskDocument(cpf(1)), file: { name: 'A*** So***', ref: 'K-7' } },
    { document: maskDocument(cpf(2)), file: null },
    { document: maskDocument(cpf(3)), file: { ref: 'E-3' } },
  ])

  const taken = await t.page(`/changes/${sweep}.csv`, analyst)
  expect(taken).toMatch(/;after;sweep;name_in_file;ref\r\n/)
  expect(taken).toContain(`${formatDocument(cpf(1))};;processes;worse;1;2;${sweep};Ana Souza;K-7`)
  const file = { folder: join(t.home, 'outbox'), day: '2026-11-15', timezone: 'America/Sao_Paulo' }
  const written = await readFile(await writeChangesFile(t.sql, file), 'utf8')
  expect(written).toContain(`;1;2;${sweep};Ana Souza;K-7\r\n`)
  expect(written).toContain(`Rui no registro;processes;worse;1;2;${sweep};;\r\n`)

  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'silent' }
  const { stdout } = await call(['radars', 'changes'], env)
  expect(stdout).toMatch(/A\*\*\* So\*\*\* +K-7 +processes/)
  expect(stdout).toMatch(/Rui no registro +processes/)
})

test('people are found by parts of their name, whatever its case and accents, and no address has the name', async () => {
  const [answered, watched] = [cpf(51), cpf(52)]
  await t.done(csvOf([answered]))
  await t.sql`update vigia.lookup set registry_name = 'Évoraçú Aparecida' where question = ${answered}`
  await t.sql`
    insert into vigia.radar (organization_id, document, document_type, name, seen_at)
    values (${t.sandbox.account.organizationId}, ${watched}, 'CPF', 'José Évoraçú', now())`
  const search = async (document: string) => {
    const address = (await t.post('/person', analyst, { document })).headers.get('location')!
    expect(address).toMatch(/^\/people\/[\w-]+$/)
    const page = await t.page(address, analyst)
    return [...page.matchAll(/<a href="(\/person\/[^"]+)">([^<]+)<\/a> <span class="document">([^<]+)/g)]
  }
  const namesOf = async (text: string) => (await search(text)).map(([, , name, document]) => `${name} ${document}`)
  const [one, other] = [`Évo*** Apa*** ${maskDocument(answered)}`, `José Évoraçú ${maskDocument(watched)}`]
  expect(await namesOf('EVORACU')).toEqual([one, other])
  expect(await namesOf('évoraçu jose')).toEqual([other])
  const [[, person]] = (await search('évoraçu jose')) as [RegExpExecArray]
  expect(await t.page(person!, analyst)).toContain('<strong>José Évoraçú</strong>')
  expect(await namesOf('nobody')).toEqual([])
})

test('a parked purchase shows the name and reference of its row, and what sending it again costs for its kind', async () => {
  const id = await t.done(`nome;cpf;ref\nAna Souza;${cpf(1)};K-7\n`, { kind: 'cnh' })
  await t.sql`update vigia.lookup set state = 'unknown_outcome', charged = 'unknown' where batch_id = ${id}`

  const { parked } = await t.json('/api/parked', analyst)
  const file = { name: 'A*** So***', ref: 'K-7' }
  expect(parked).toContainEqual(expect.objectContaining({ document: maskDocument(cpf(1)), file }))
  const overlay = join(t.home, 'overlay.json')
  const prices = { analysis: { amount: '1.90', currency: 'BRL' }, cnh: { amount: '7.50', currency: 'BRL' } }
  await writeFile(overlay, JSON.stringify({ budget: { unitPrice: prices } }))
  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'silent', VIGIA_CONFIG: overlay }
  const { stdout } = await call(['parked'], env)
  expect(stdout).toMatch(/A\*\*\* So\*\*\* +K-7 +batch \d+ line 2/)
  expect(stdout).toContain('costs 1 unit (R$7.50) more')
})

test('a document in the name of a file is masked on every page, in the API and in the names of downloads', async () => {
  const document = cpf(77)
  const id = await t.done(csvOf(cpfs(3, 10)), { fileName: `cliente ${formatDocument(document)} e ${document}.csv` })
  await t.sql`update vigia.lookup set state = 'failed' where question = ${cpf(11)}`
  await t.sql`update vigia.lookup set state = 'unknown_outcome' where question = ${cpf(12)}`
  await t.sql`insert into vigia.batch_count values (${id}, 'failed', 1), (${id}, 'unknown_outcome', 1)`
  const kept = await t.post(`/batches/${id}/read-again`, admin)
  const paths = [
    '/batches',
    `/batches/${id}`,
    `/batches/${id}/rows/2`,
    `/batches/${id}/risk`,
    `/batches/${id}/retry`,
    '/batches/all/retry',
    '/parked',
    kept.headers.get('location')!,
    '/api/batches',
    `/api/batches/${id}`,
  ]
  for (const path of paths) {
    const text = await t.page(path, admin)
    expect(text, path).toContain(maskDocument(document))
    expect(text, path).not.toContain(document)
    expect(text, path).not.toContain(formatDocument(document))
  }
  const { headers } = await t.call(`/batches/${id}/files/manifest`, { token: admin })
  expect(headers.get('content-disposition')).toContain('cliente ___.')
  expect(headers.get('content-disposition')).not.toContain(document)
})

test('a document in the name of a sheet is masked where people read it', async () => {
  const sheet = `Ana ${cpf(77)}`
  const file = workbookOf({ [sheet]: { 1: ['CPF'], 2: [cpf(21)] }, Notas: { 1: ['CPF'], 2: [cpf(22)] } })
  const id = await t.unconfirmed(file, { fileName: 'clientes.xlsx' })
  const preview = await t.page(`/batches/${id}`, ops)
  expect(preview).toContain(`Ana ${maskDocument(cpf(77))}`)
  expect(preview).not.toContain(sheet)
  const kept = await t.post(`/batches/${id}/read-again`, ops)
  const picker = await t.page(kept.headers.get('location')!, ops)
  expect(picker).toMatch(/<option value="Ana \d+" selected>Ana \*\*\*/)
})
