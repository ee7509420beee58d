import { expect, test } from 'vitest'
import { finishBatches } from '../../src/store/batches/counts.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

test('a batch whose rows are asked again while it waits to be finished is not finished', async () => {
  await using t = await setup()
  const { id } = await t.finished(await t.submit(csvOf(cpfs(2))))
  await t.sql`update vigia.batch set finished_at = null, state = 'running' where id = ${id}`
  const waits = () => t.sql`
    select from pg_locks where not granted and locktype = 'transactionid' and pid <> pg_backend_pid()`

  const finishing = await t.sql.begin(async (retry) => {
    await retry`select from vigia.batch where id = ${id} for update`
    const finished = t.sql.begin((tx) => finishBatches(tx, [id], new Date()))
    await until(async () => (await waits()).length > 0)
    await retry`delete from vigia.batch_count where batch_id = ${id}`
    return { finished }
  })
  expect(await finishing.finished).toEqual([])
})
