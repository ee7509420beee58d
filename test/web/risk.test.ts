import { expect, test } from 'vitest'
import { en } from '../../src/messages/labels.ts'
import { addUpTotals, readKeptTotals } from '../../src/store/batches/risk.ts'
import { createFormat } from '../../src/writing/format.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupWeb } from './setup.ts'

test('the totals of a finished batch are stored, and computed again once another row is answered', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  const [first, ...others] = cpfs(4)
  const id = await t.submit(csvOf([first!, first!, ...others]))
  await t.finished(id)
  const kept = await until(() => readKeptTotals(t.sql, id))
  expect(kept).toEqual(await addUpTotals(t.sql, id))
  expect(kept).toMatchObject({ documents: 4, counts: expect.arrayContaining([expect.any(BigInt)]) })

  await t.sql`update vigia.answer set cents[1] = 123456789 where lookup_id = (select min(lookup_id) from vigia.answer)`
  const read = async (piece: string) => (await t.call(`/batches/${id}/risk/${piece}`, { token })).text()
  expect(await read('top?by=ALL')).toContain('1,234,567.89')
  expect(await read('totals')).toContain(createFormat('UTC', en).cents(kept!.cents[0]!))

  await t.sql`update vigia.batch_count set rows = rows + 1 where batch_id = ${id} and state = 'ok'`
  expect(await readKeptTotals(t.sql, id)).toBeNull()
  expect(await addUpTotals(t.sql, id)).not.toEqual(kept)
})
