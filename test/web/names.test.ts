import { expect, test } from 'vitest'
import { formatDocument, maskDocument } from '../../src/domain/document.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupWeb } from './setup.ts'

test('a document in the name of a file is masked on every page, in the API and in the names of downloads', async () => {
  await using t = await setupWeb()
  const token = await t.operator('admin')
  const document = cpf(77)
  const id = await t.submit(csvOf(cpfs(3)), { fileName: `cliente ${formatDocument(document)} e ${document}.csv` })
  await t.finished(id)
  await t.sql`update vigia.lookup set state = 'failed' where question = ${cpf(1)}`
  await t.sql`update vigia.lookup set state = 'unknown_outcome' where question = ${cpf(2)}`
  await t.sql`insert into vigia.batch_count values (${id}, 'failed', 1), (${id}, 'unknown_outcome', 1)`
  const kept = await t.call(`/batches/${id}/read-again`, { token, method: 'POST' })
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
    const text = await (await t.call(path, { token })).text()
    expect(text, path).toContain(maskDocument(document))
    expect(text, path).not.toContain(document)
    expect(text, path).not.toContain(formatDocument(document))
  }
  for (const what of ['report', 'manifest']) {
    const { headers } = await t.call(`/batches/${id}/files/${what}`, { token })
    expect(headers.get('content-disposition')).not.toContain(document)
    expect(headers.get('content-disposition')).toContain('cliente ___.')
  }
})

test('a document in the name of a sheet is masked where people read it', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const sheet = `Ana ${cpf(77)}`
  const file = workbookOf({ [sheet]: { 1: ['CPF'], 2: [cpf(1)] }, Notas: { 1: ['CPF'], 2: [cpf(2)] } })
  const id = await t.submit(file, { fileName: 'clientes.xlsx', confirmAbove: -1 })
  await until(async () => (await readBatch(t.sql, id))?.state === 'unconfirmed')
  const preview = await (await t.call(`/batches/${id}`, { token })).text()
  expect(preview).toContain(`Ana ${maskDocument(cpf(77))}`)
  expect(preview).not.toContain(sheet)
  const kept = await t.call(`/batches/${id}/read-again`, { token, method: 'POST' })
  const picker = await (await t.call(kept.headers.get('location')!, { token })).text()
  expect(picker).toMatch(/<option value="Ana \d+" selected>Ana \*\*\*/)
})
