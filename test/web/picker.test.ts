import { expect, test } from 'vitest'
import { type Batch, readBatch } from '../../src/store/batches/batches.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { call } from '../cli/call.ts'
import { cpf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb()
const ops = await t.operator('ops', 'ana')

/** A workbook with a title and an unknown header. */
const workbook = (header: string) =>
  workbookOf({
    Capa: { 1: ['Relatório'] },
    Base: { 1: ['Carteira de novembro'], 3: ['Cliente', header], 4: ['Ana', cpf(1)], 5: ['Rui', cpf(2)] },
  })

const locationOf = async (response: Promise<Response>): Promise<string> => (await response).headers.get('location')!

/** The batch that a response leads to, once it is read. */
const submitted = async (response: Promise<Response>): Promise<Batch> => {
  const id = BigInt((await locationOf(response)).replace('/batches/', ''))
  return await until(async () => {
    const batch = await readBatch(t.sql, id)
    return batch?.state === 'unconfirmed' ? batch : null
  })
}

test('a file whose columns are not certain waits for a person to choose them, and the choice is remembered', async () => {
  const carteira = workbook('Doc. Cliente')
  const send = (fields = {}) => locationOf(t.upload('/batches', ops, ['carteira.xlsx', carteira], fields))
  const upload = await send({ format: 'csv', language: 'en' })
  const page = await t.page(upload, ops)
  expect(page).toContain('Doc. Cliente')
  expect(page).toMatch(/name="role-1".*?value="documento" selected/s)
  expect(page).not.toContain(cpf(1))

  const form = { headerLine: '3', sheet: 'Base', 'header-1': 'Doc. Cliente', 'role-1': 'documento', documentType: '' }
  const { id, ...batch } = await submitted(t.post(upload, ops, form))
  expect(batch).toMatchObject({ format: 'csv', language: 'en' })
  expect(await t.sql`select id from vigia.upload`).toHaveLength(0)
  const list = await t.page('/batches', ops)
  expect(list).toMatch(/name="format".*?<option value="xlsx".*?name="language".*?<option value="en"/s)
  const preview = await t.page(`/batches/${id}`, ops)
  expect(preview).toMatch(/Doc\. Cliente<small class="role">[^<]+ · <span class="chosen"[^>]*>chosen earlier</)
  expect(preview).not.toMatch(/Cliente<small class="role">Name · <span/)
  expect((await t.call(upload, { token: ops })).status).toBe(404)

  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'fatal' }
  const { columns } = JSON.parse((await call(['columns', '--json'], env)).stdout)
  expect(columns).toMatchObject([{ columns: { documento: 'Doc. Cliente' }, by: 'ana' }])
  expect(await send()).toBe(`/batches/${id}?notice=repeated`)

  await call(['columns', '--forget', String(columns[0].id)], env)
  expect(await send()).toMatch('/uploads/')
  const entries = await t.sql<{ what: string }[]>`select what from vigia.audit order by id`
  expect(entries.map(({ what }) => what)).toEqual(['submit', 'choose columns', 'submit again', 'forget columns'])
})

test('the API takes the same options as the command line, and a refusal names the option that helps', async () => {
  const submit = (fields = {}) => t.upload('/api/batches', ops, ['lista.xlsx', workbook('Chave')], fields)
  const refused = await submit()
  expect(refused.status).toBe(422)
  expect((await refused.json()).message).toContain('--column documento="Chave"')
  const column = ['documento=Chave', 'nome=Cliente']
  expect((await submit({ column, headerLine: '3' })).status).toBe(200)
  expect(await t.sql`select columns from vigia.column_choice order by id desc limit 1`).toEqual([
    { columns: { documento: 'Chave', nome: 'Cliente' } },
  ])
  expect((await submit({ column: 'cor=Cliente' })).status).toBe(422)
  expect((await submit({ documentType: 'RG' })).status).toBe(422)
})

test('a batch that needs approval can be read again with other columns, and then ends', async () => {
  const first = await t.submit(`CPF;Doc. Cliente\n${cpf(1)};${cpf(2)}\n`, { confirmAbove: -1 })
  const upload = await locationOf(t.post(`/batches/${first}/read-again`, ops))
  const form = { headerLine: '1', 'header-1': 'Doc. Cliente', 'role-1': 'documento' }
  expect(await submitted(t.post(upload, ops, form))).toMatchObject({ state: 'unconfirmed' })
  expect(await readBatch(t.sql, first)).toMatchObject({ state: 'cancelled' })
})

test('a file without a header is shown by column numbers, and no header can be chosen for another', async () => {
  const pairs = `Ana;${cpf(1)};${cpf(3)}\nRui;${cpf(2)};${cpf(4)}\n`
  const upload = await locationOf(t.upload('/batches', ops, ['pares.csv', pairs]))
  const page = await t.page(upload, ops)
  expect(page).toContain('name="noHeader" value="1" checked')
  expect(page).toMatch(/name="headerLine" value="0".*name="header-1" value="2"/s)
  expect(page).not.toContain(cpf(1))
  const named = await t.page(`${upload}?headerLine=1`, ops)
  expect(named).not.toContain('checked')
  expect(await t.page(`${upload}?headerLine=1&noHeader=1`, ops)).toContain('checked')

  const form = { headerLine: '0', 'header-0': '1', 'role-0': 'nome', 'header-2': '3', 'role-2': 'documento' }
  const batch = await submitted(t.post(upload, ops, form))
  expect(batch).toMatchObject({ rows: 2, rejected: 0 })
  const preview = await t.page(`/batches/${batch.id}`, ops)
  expect(preview).toContain('column 3<small class="role">CPF or CNPJ</small>')
  expect(preview).not.toContain(cpf(3))
})

test('the page names sheets that are not read, and one button reads them all', async () => {
  const workbook = workbookOf({ Base: { 1: ['CPF'], 2: [cpf(1)] }, Filial: { 1: ['CPF'], 2: [cpf(2)] } })
  const first = await t.unconfirmed(workbook, { fileName: 'base.xlsx' })
  expect(await t.page(`/batches/${first}`, ops)).toContain('although it holds documents: Filial')
  expect(await t.json(`/api/batches/${first}`, ops)).toMatchObject({ unreadSheets: ['Filial'] })

  const upload = await locationOf(t.post(`/batches/${first}/read-again`, ops))
  expect(await t.page(upload, ops)).toContain('Read all sheets: Base, Filial')
  expect(await submitted(t.post(upload, ops, { sheet: 'all' }))).toMatchObject({ rows: 2, rejected: 0 })
})

test('another column of documents is named, and a person chooses several columns of documents', async () => {
  const text = `CPF;Doc. Empresa\n${cpf(11)};11222333000181\n${cpf(12)};\n`
  const first = await t.unconfirmed(text)
  const page = await t.page(`/batches/${first}`, ops)
  expect(page).toMatch(/although it holds documents: Doc\. Empresa.*?Choose columns/s)
  const status = await t.json(`/api/batches/${first}`, ops)
  expect(status).toMatchObject({ unaskedColumns: ['Doc. Empresa'] })

  const upload = await locationOf(t.post(`/batches/${first}/read-again`, ops))
  const form = { 'header-0': 'CPF', 'role-0': 'documento', 'header-1': 'Doc. Empresa', 'role-1': 'documento' }
  const batch = await submitted(t.post(upload, ops, { headerLine: '1', ...form }))
  expect(batch).toMatchObject({ rows: 2, documentsPerRow: 2, rejected: 0, toBePaid: 2 + 1 })
  const quoted = await t.page(`/batches/${batch.id}`, ops)
  expect(quoted).toMatch(/<dt>Documents<\/dt><dd>4<\/dd>/)
  expect(quoted).toMatch(/Doc\. Empresa<small class="role">CPF or CNPJ · <span class="chosen"/)
  expect(await t.sql`select columns from vigia.column_choice order by id desc limit 1`).toEqual([
    { columns: { documento: ['CPF', 'Doc. Empresa'] } },
  ])
  expect((await t.call(upload, { token: ops })).status).toBe(404)

  const row = await t.page(`/batches/${batch.id}/rows/2?column=Doc.%20Empresa`, ops)
  expect(row).toContain(`href="/batches/${batch.id}/rows/2?column=CPF">CPF</a>`)
  expect(row).toContain('aria-current="page">Doc. Empresa')
  const { rows } = await t.json(`/api/batches/${batch.id}/rows`, ops)
  expect(rows).toMatchObject([
    { line: 2, column: 'CPF', state: 'pending' },
    { line: 2, column: 'Doc. Empresa', state: 'pending' },
    { line: 3, column: 'CPF', state: 'pending' },
    { line: 3, column: 'Doc. Empresa', state: 'rejected', rejected: 'empty' },
  ])
})

test('the API takes several columns of documents, and each row has one look-up for each', async () => {
  const file = `CPF_SOCIO;CNPJ_EMPRESA\n${cpf(21)};11444777000161\n`
  const submit = (...column: string[]) => t.upload('/api/batches', ops, ['socios.csv', file], { column })
  const refused = await submit('documento=CPF_SOCIO', 'cnpj=CNPJ_EMPRESA')
  expect(refused.status).toBe(422)
  expect((await refused.json()).message).toContain('documento="CPF_SOCIO" and cnpj="CNPJ_EMPRESA" are given')
  const { batch } = await (await submit('documento=CPF_SOCIO', 'documento=CNPJ_EMPRESA')).json()
  const status = await until(async () => {
    const read = await t.json(`/api/batches/${batch}`, ops)
    return read.state === 'unconfirmed' && read
  })
  const documentColumns = ['CPF_SOCIO', 'CNPJ_EMPRESA']
  expect(status).toMatchObject({ rows: 1, total: 2, documentColumns, spend: { expected: 2 } })
  const row = await t.json(`/api/batches/${batch}/rows/2?column=CNPJ_EMPRESA`, ops)
  expect(row).toMatchObject({ line: 2, column: 'CNPJ_EMPRESA', pays: true })
  expect((await t.call(`/api/batches/${batch}/rows/2?column=RG`, { token: ops })).status).toBe(409)
})
