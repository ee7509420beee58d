import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readWorkbook } from '../../src/files/xlsx/read-workbook.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { listAudit } from '../../src/views/installation.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setupWeb } from './setup.ts'

test('the workbook comes first among the downloads, in the language of the page, and in that of the settings elsewhere', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst', 'bruno')
  const id = await t.submit(csvOf(cpfs(3)))
  await t.finished(id)

  const page = await (await t.call(`/batches/${id}`, { token, headers: { 'accept-language': 'en' } })).text()
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
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const form = (fields: Record<string, string>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    body.set('file', new Blob([csvOf(cpfs(3))]), 'people.csv')
    return t.call('/api/batches', { token, method: 'POST', body })
  }

  const wrong = await form({ format: 'pdf' })
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('xlsx')])
  const { batch } = (await (await form({ format: 'xlsx', language: 'en' })).json()) as { batch: number }

  expect(await readBatch(t.sql, BigInt(batch))).toMatchObject({ format: 'xlsx', language: 'en' })
})

const sheetsIn = async (response: Response): Promise<string[]> => {
  await using workbook = await readWorkbook(Readable.from([Buffer.from(await response.arrayBuffer())]))
  return workbook.sheets.map(({ name }) => name)
}
