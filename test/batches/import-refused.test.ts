import { expect, test } from 'vitest'
import { importBatch } from '../../jobs/import-batch.ts'
import { cancelBatch } from '../../src/batches/pause-resume-cancel.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { findDueBatches } from '../../src/store/lookups/due-lookups.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupGround } from './ground.ts'

const steering = { by: 'test', now: new Date(), deadlineMs: 3_600_000, finished: async () => {} }

test('a file that is bad in the middle leaves shared look-ups to others', {
  timeout: 60_000,
}, async () => {
  await using t = await setupGround()
  const endless = Buffer.concat([Buffer.from(csvOf(cpfs(30_000))), Buffer.alloc(17 * 1024 * 1024, 'x')])
  const bad = await t.submit(endless)
  const stop = new AbortController()
  const importing = importBatch.work({ batchId: String(bad) }, { ...t.tools, signal: stop.signal })
  await until(async () => (await readBatch(t.sql, bad))!.importedTo > 1_000)
  stop.abort()
  await importing
  const good = await t.imported(`cpf\n${cpfs(20).join('\n')}\n`)

  await importBatch.work({ batchId: String(bad) }, t.tools)

  expect(await readBatch(t.sql, bad)).toMatchObject({ state: 'rejected' })
  expect(await findDueBatches(t.sql, [{ kind: 'analysis', state: 'queued', mostRows: 100 }], new Date())).toMatchObject(
    [{ batchId: good.id, state: 'queued' }],
  )
  expect(await t.sql`select id from vigia.lookup where batch_id = ${good.id} and state = 'queued'`).toHaveLength(20)
})

test('a batch cancelled during its import comes back even if its file is bad', async () => {
  await using t = await setupGround({ import: { maxRejectShare: 0.5 } })
  const id = await t.submit(csvOf([...cpfs(2), 'one', 'two', 'three']))
  await cancelBatch(t.sql, id, steering)

  await importBatch.work({ batchId: String(id) }, t.tools)

  const batch = await readBatch(t.sql, id)
  expect(batch).toMatchObject({ state: 'cancelled', rows: 5, rejected: 3 })
  expect(batch!.finishedAt).toBeInstanceOf(Date)
})
