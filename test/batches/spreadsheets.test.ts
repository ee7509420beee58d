import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

test("the registry's spreadsheets come with the report, under names of our own", async () => {
  await using t = await setup()
  const [first, second] = cpfs(2) as [string, string]

  const id = await t.submit(csvOf([first, 'junk', second, first]), { spreadsheets: true })
  await t.finished(id)

  const folder = join(t.home, 'outbox', `people.${id}`, 'spreadsheets')
  const names = (await readdir(folder)).sort()
  expect(names).toEqual([expect.stringMatching(/^2-\w+\.xlsx$/), expect.stringMatching(/^4-\w+\.xlsx$/)])
  expect((await readFile(join(folder, names[0]!))).subarray(0, 2).toString()).toBe('PK')
})

test('the spreadsheets of a file that was submitted before can be asked for later', async () => {
  await using t = await setup()
  const id = await t.submit(csvOf(cpfs(2)))
  await t.finished(id)
  expect(await t.submit(csvOf(cpfs(2)), { spreadsheets: true })).toBe(id)
  await t.finished(id)

  expect(await readdir(join(t.home, 'outbox', `people.${id}`, 'spreadsheets'))).toHaveLength(2)
  expect(t.sandbox.charges()).toBe(2)
})

test('an expired address is asked for again, and a failed spreadsheet is noted and delays nothing', async () => {
  let late = 0
  await using t = await setup({ sandbox: { now: () => Date.now() + late } })
  await t.finished(await t.submit(csvOf(cpfs(2))))
  late = 20 * 60_000
  await t.sql`update vigia.answer set data = '{"spreadsheet": "http://127.0.0.1:1/x.xlsx"}' where lookup_id = 2`
  await t.sql`update vigia.lookup set remote_id = '../../404', remote_key = 'none' where id = 2`

  const again = await t.submit(`cpf\n${cpfs(2).join('\n')}\n`, { spreadsheets: true })
  const batch = await t.finished(again)

  const folder = join(t.home, 'outbox', `people.${again}`, 'spreadsheets')
  const names = (await readdir(folder)).sort()
  expect(batch.state).toBe('done')
  expect(names).toEqual([expect.stringMatching(/^2-\w+\.xlsx$/), '3-______404.failed.txt'])
  expect(await readFile(join(folder, names[1]!), 'utf8')).not.toBe('')
  expect(t.sandbox.charges()).toBe(2)
})
