import { expect, test } from 'vitest'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { buyersWaiting } from '../../src/store/lookups/due-lookups.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const inHours = (hours: number): Date => new Date(Date.now() + hours * 3_600_000)

test('who was refused and is not due soon is no buyer: nobody waits for what he may never buy', async () => {
  await using t = await setup()
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  await holdLane(t.sql, lane, { cause: 'plan', reason: ['text', 'for a while'], trialAt: null }, new Date())
  await t.submit(csvOf([cpf(1)]))
  await until(async () => (await buyersWaiting(t.sql, lane, new Date())).wait)
  await t.running.stop()

  await t.sql`update vigia.lookup set due_at = ${inHours(2)}`
  expect(await buyersWaiting(t.sql, lane, inHours(1))).toEqual({ wait: true, areHeld: true })
  await t.sql`update vigia.lookup set attempts = 1`
  expect(await buyersWaiting(t.sql, lane, inHours(1))).toEqual({ wait: false, areHeld: true })
  expect(await buyersWaiting(t.sql, lane, inHours(3))).toEqual({ wait: true, areHeld: true })
})
