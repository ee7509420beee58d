import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

test('a report has an answer beside every row, and each document is bought once', async () => {
  await using t = await setup()
  const documents = cpfs(50)

  const batch = await t.finished(await t.submit(csvOf([...documents, documents[0]!, '123'])))

  expect(batch).toMatchObject({ state: 'done', rows: 52, rejected: 1, spent: 50 })
  expect(t.sandbox.charges()).toBe(50)
  const folder = join(t.home, 'outbox', `people.${batch.id}`)
  const report = (await readFile(join(folder, 'people.report.csv'), 'utf8')).split('\n')
  expect(report[0]).toMatch(/^\uFEFFdocumento;result_status;/)
  expect(report.filter((line) => line.includes(';ok;'))).toHaveLength(51)
})
