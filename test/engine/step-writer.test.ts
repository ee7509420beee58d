import { expect, test } from 'vitest'
import { advance } from '../../src/domain/advance.ts'
import type { Lookup } from '../../src/domain/lookup.ts'
import { absent, later, ok } from '../../src/domain/outcome.ts'
import { createStepQueue, createStepWriter } from '../../src/engine/step-writer.ts'
import type { Message } from '../../src/messages/message.ts'
import { claimLookups } from '../../src/store/lookups/claims.ts'
import { readWorkable } from '../../src/store/lookups/lookup-rows.ts'
import { writeSteps } from '../../src/store/lookups/lookup-steps.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { lookupOf } from '../support/lookup.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const jobId = '00000000-0000-4000-8000-000000000001'

/** Five look-ups that were bought and wait, claimed by a job, and the writer of their steps. */
const fiveInHand = async (t: Setup) => {
  await t.submit(csvOf(cpfs(5)))
  await until(async () => (await t.sql`select id from vigia.lookup where state = 'waiting'`).length === 5)
  await t.running.stop()
  const ids = (await t.sql<{ id: bigint }[]>`select id from vigia.lookup order by id`).map((row) => row.id)
  await claimLookups(t.sql, [{ jobId, state: 'waiting', ids }], new Date())
  const lookups = (await readWorkable(t.sql, ids, jobId, new Date())).sort((a, b) => Number(a.id - b.id))
  const engine = { ...t.running.engine, steps: createStepQueue() }
  const writer = createStepWriter(engine)
  writer.expect(lookups.length)
  return { engine, lookups, writer, timeouts: { ...engine.timeouts('analysis'), retries: 5 } }
}

test('steps that come one by one are written together', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 3_600_000 } })
  const { engine, lookups, writer, timeouts } = await fiveInHand(t)
  engine.steps.turnMs = 60_000
  for (const lookup of lookups) {
    writer.add(advance(lookup, ok({ total: 1 }), timeouts, new Date()), null)
    await t.sql`select`
  }
  await writer.end()

  const written = await t.sql`select distinct xmin::text from vigia.lookup where state = 'ok'`
  expect(written).toHaveLength(1)
})

test('a step that the database refuses fails alone, with the reason, and its neighbours keep their answers', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 3_600_000 } })
  const { lookups, writer, timeouts } = await fiveInHand(t)
  const impossible = new Date(8.64e15)
  const step = (lookup: Lookup, at: number) =>
    advance(
      lookup,
      at === 2 ? ok({ total: 1 }, { asOf: impossible }) : at === 4 ? later({ seen: 'X' }) : ok({ total: 1 }),
      timeouts,
      new Date(),
    )
  for (const [at, lookup] of lookups.entries()) writer.add(step(lookup, at), null)
  await writer.end()

  const rows = await t.sql<{ state: string; message: Message | null; charged: string }[]>`
    select state, message, charged from vigia.lookup order by id`
  expect(rows.map(({ state }) => state)).toEqual(['ok', 'ok', 'failed', 'ok', 'waiting'])
  expect(rows[2]).toMatchObject({
    message: ['unstorable', expect.stringMatching(/^2200/)],
    charged: 'yes',
  })
})

test('the judgement of a call is not written once a later call of the same look-up has an unknown outcome', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf(cpfs(1))))
  await t.running.stop()
  const [judged, since] = [new Date('2026-11-15T05:00:00.123Z'), new Date('2026-11-15T05:01:00.456Z')]
  await t.sql`delete from vigia.answer`
  const [row] = await t.sql<{ id: bigint }[]>`
    update vigia.lookup set state = 'sending', charged = 'unknown', remote_id = null, finished_at = null, as_of = null,
           due_at = ${judged}, sending_at = ${judged} returning id`
  const paid = { state: 'sending', sendingAt: judged, unlistedAt: judged, remote: null, charged: 'unknown' } as const
  const timeouts = { ...t.running.engine.timeouts('analysis'), retries: 5 }
  const step = advance(lookupOf({ id: row!.id, ...paid }), absent(null), timeouts, new Date())
  const write = () => writeSteps(t.sql, [{ step, sentAt: null }], new Date())

  await t.sql`update vigia.lookup set sending_at = ${since}`
  expect(await write()).toMatchObject({ released: [] })
  expect(await t.sql`select state from vigia.lookup`).toEqual([{ state: 'sending' }])
  await t.sql`update vigia.lookup set sending_at = ${judged}`
  expect(await write()).toMatchObject({ released: [{ kind: 'analysis' }] })
  expect(await t.sql`select state from vigia.lookup`).toEqual([{ state: 'queued' }])
})
