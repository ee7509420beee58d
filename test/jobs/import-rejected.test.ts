import { expect, test } from 'vitest'
import { importBatch } from '../../jobs/import-batch.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { sharedGround } from '../batches/ground.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'

const t = sharedGround({ import: { maxRejectShare: 0.5 } })

/** What was logged since the last call. */
const rejections = () =>
  t.logged
    .splice(0)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'batch rejected')

test('a file with too many rejects is logged, with its masked name and the reason', async () => {
  const rows = csvOf([...cpfs(2), 'one', 'two', 'three'])
  const id = await t.submit(rows, { source: 'inbox', fileName: `carteira ${cpf(1)}.csv` })

  await importBatch.work({ batchId: String(id) }, t.tools)

  expect(await readBatch(t.sql, id)).toMatchObject({ state: 'rejected' })
  expect(rejections()).toMatchObject([
    {
      level: 40,
      batch: String(id),
      file: expect.stringMatching(/^carteira \*{3}\.\d{3}\.\d{3}-\*{2}\.csv$/),
      reason: '3 of 5 rows (60 %) were rejected, more than import.maxRejectShare allows',
    },
  ])
})

test('a file that is damaged in the middle is logged too', async () => {
  // More cells than a row may have, and quicker to read than more bytes.
  const rows = csvOf(cpfs(6_000)).replaceAll('\n', ';\n')
  const id = await t.submit(rows + ';'.repeat(1_100_000))

  await importBatch.work({ batchId: String(id) }, t.tools)

  expect(await readBatch(t.sql, id)).toMatchObject({ state: 'rejected' })
  expect(rejections()).toMatchObject([
    {
      level: 40,
      batch: String(id),
      file: 'people.csv',
      reason: expect.stringContaining('line 6002: a row of more than'),
    },
  ])
})
