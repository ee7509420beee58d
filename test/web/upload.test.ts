import { request } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readWorkbook } from '../../src/files/xlsx/read-workbook.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { listAudit } from '../../src/views/installation.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb({ config: { budget: { perBatch: 500 } } })
const ops = await t.operator('ops', 'ana')
/** A page that stores nothing in these tests. */
const small = await sharedWeb({ config: { web: { maxUploadBytes: 50_000 } } })
const anyone = await small.operator('ops')
const isEmpty = async () =>
  (await small.sql`select id from vigia.file union all select id from vigia.batch`).length === 0

test('a file above the limit leaves nothing behind', async () => {
  expect((await small.upload('/api/batches', anyone, ['people.csv', csvOf(cpfs(10_000))])).status).toBe(413)
  expect(await isEmpty()).toBe(true)
})

test.each([
  ['kind', 'processes'],
  ['maxSpend', '0'],
])(
  'a field that comes after the file is refused with the file, it could have been its limit: %s',
  async (field, value) => {
    const body = new FormData()
    body.append('file', new Blob([csvOf(cpfs(3))]), 'people.csv')
    body.append(field, value)
    const response = await small.call('/api/batches', { token: anyone, method: 'POST', body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: expect.stringContaining(`"${field}"`) })
    expect(await isEmpty()).toBe(true)
  },
)

test('an upload that is cut off leaves nothing behind', async () => {
  const headers = {
    authorization: `Bearer ${anyone}`,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': '5000000',
  }
  const upload = request(new URL('/api/batches', small.web.url), { method: 'POST', headers })
  upload.on('error', () => {})
  upload.write(`--x\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\n\r\n${csvOf(cpfs(50))}`)
  await until(async () => !(await isEmpty()))
  upload.destroy()
  await until(isEmpty)
})

test('limits, kinds and organizations are checked, and the submission is in the audit log', async () => {
  const send = (bytes: string, fields = {}, name = 'people.csv') => t.upload('/api/batches', ops, [name, bytes], fields)
  const refused = async (fields: object) => (await send(csvOf(cpfs(1)), fields)).status
  expect(await refused({ kind: 'horoscope' })).toBe(422)
  expect(await refused({ organization: '1' })).toBe(422)
  expect(await refused({ maxSpend: '-3' })).toBe(422)
  expect(await refused({ encoding: 'windows-1252' })).toBe(422)
  expect((await send('nome;cidade\nAna;Recife\n')).status).toBe(422)

  const sent = await send(csvOf(cpfs(3)), { maxSpend: '9000' }, '..\\..\\<b>people.csv')
  const { batch } = await sent.json()
  expect(await readBatch(t.sql, BigInt(batch))).toMatchObject({
    maxSpend: 500,
    confirmAbove: -1,
    source: 'page',
    submittedBy: 'ana',
    name: '_b_people',
  })
  const [entry] = await listAudit(t.sql, 1)
  expect(entry).toMatchObject({ who: 'ana', what: 'submit', subject: `batch ${batch}` })
})

test('the workbook comes first among the downloads, in the language of the page, and in that of the settings elsewhere', async () => {
  const token = await t.operator('analyst', 'bruno')
  const id = await t.done(csvOf(cpfs(3, 10)))

  const page = await t.page(`/batches/${id}`, token, 'en')
  const links = [...page.matchAll(/href="([^"]*\/files\/[^"]*)"/g)].map(([, href]) => href!)
  expect(links.slice(0, 2)).toEqual([
    `/batches/${id}/files/workbook?language=en`,
    `/batches/${id}/files/report?language=en`,
  ])

  const english = await t.call(links[0]!, { token })
  expect(english.headers.get('content-disposition')).toContain(`.${id}.report.xlsx`)
  expect(await sheetsIn(english)).toEqual(['Results', 'Summary', 'Rejects', 'About'])
  const [entry] = await listAudit(t.sql, 1)
  expect(entry).toMatchObject({ who: 'bruno', what: 'download', detail: { file: 'workbook' } })
  const portuguese = await t.call(`/api/batches/${id}/files/workbook`, { token })
  expect(await sheetsIn(portuguese)).toEqual(['Resultados', 'Resumo', 'Rejeitados', 'Sobre'])
  const wrong = await t.call(`/api/batches/${id}/files/workbook?language=tlh`, { token })
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('en or pt-BR')])
})

test('format and language that come with a file are kept with its batch', async () => {
  const send = (fields: Record<string, string>) =>
    t.upload('/api/batches', ops, ['people.csv', csvOf(cpfs(3, 20))], fields)
  const wrong = await send({ format: 'pdf' })
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('xlsx')])
  const { batch } = await (await send({ format: 'xlsx', language: 'en' })).json()
  expect(await readBatch(t.sql, BigInt(batch))).toMatchObject({ format: 'xlsx', language: 'en' })
})

const sheetsIn = async (response: Response): Promise<string[]> => {
  await using workbook = await readWorkbook(Readable.from([Buffer.from(await response.arrayBuffer())]))
  return workbook.sheets.map(({ name }) => name)
}
