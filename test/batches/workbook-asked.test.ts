import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readWorkbook } from '../../src/files/xlsx/read-workbook.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

test('any worker that ends a batch writes the workbook that was asked for with its file', async () => {
  await using t = await setup()
  const id = await t.submit(csvOf(cpfs(2)), { format: 'xlsx', language: 'en' })
  await t.finished(id)

  const folder = join(t.home, 'outbox', `people.${id}`)
  expect((await readdir(folder)).sort()).toEqual([
    'people.manifest.json',
    'people.rejects.csv',
    'people.report.csv',
    'people.report.xlsx',
  ])
  await using workbook = await readWorkbook(join(folder, 'people.report.xlsx'))
  expect(workbook.sheets.map(({ name }) => name)).toEqual(['Results', 'Summary', 'Rejects', 'About'])
})

test('a workbook of a file that was submitted before can be asked for later, and nothing is bought again', async () => {
  await using t = await setup()
  const id = await t.submit(csvOf(cpfs(2)))
  await t.finished(id)
  expect(await readdir(join(t.home, 'outbox', `people.${id}`))).toHaveLength(3)

  expect(await t.submit(csvOf(cpfs(2)), { format: 'xlsx' })).toBe(id)
  await t.finished(id)

  expect(await readdir(join(t.home, 'outbox', `people.${id}`))).toContain('people.report.xlsx')
  expect(t.sandbox.charges()).toBe(2)
})
