import { expect, test } from 'vitest'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { buyersWaiting } from '../../src/store/purchases/list-snapshots.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

test('a look-up that was refused is no buyer: nothing waits for what it may never buy', async () => {
  await using t = await setup()
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  await holdLane(t.sql, lane, { cause: 'plan', reason: ['text', 'for a while'], trialAt: null }, new Date())
  await t.submit(csvOf([cpf(1)]))
  await until(async () => (await buyersWaiting(t.sql, lane)).wait)
  await t.running.stop()
  const change = async (attempts: number, reason: string | null) => {
    await t.sql`update vigia.lookup set attempts = ${attempts}, message = '["text"]'::jsonb || to_jsonb(${reason}::text)`
    return buyersWaiting(t.sql, lane)
  }
  expect(await change(0, 'held')).toEqual({ wait: true, areHeld: true })
  expect(await change(1, null)).toEqual({ wait: true, areHeld: true })
  expect(await change(1, 'refused')).toEqual({ wait: false, areHeld: true })
})
