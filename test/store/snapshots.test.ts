import { expect, test } from 'vitest'
import type { Message } from '../../src/messages/message.ts'
import { takeSnapshots } from '../../src/store/radars/snapshots.ts'
import { openDatabase } from '../support/database.ts'

/** A sweep over radars whose analyses are in these states, and one that was not asked about. */
const setup = async (states: readonly string[]) => {
  const database = await openDatabase({ max: 1 })
  const { sql } = database
  await sql`insert into vigia.sweep (name, slot, state, trigger) values ('radars', 'x', 'running', 'operator')`
  await sql`
    insert into vigia.lookup (organization_id, kind, question, batch_id, deadline_at, state, remote_id, finished_at)
    select 1, 'analysis', state, 1, now(), state, state, case when state not in ('queued', 'waiting') then now() end
      from unnest(${[...states]}::text[]) as state`
  await sql`
    insert into vigia.snapshot (sweep_id, organization_id, document, analysis_lookup_id, tries)
    select s.id, 1, l.question, l.id, 1 from vigia.sweep s, vigia.lookup l
     union all
    select s.id, 1, 'unasked', null, 0 from vigia.sweep s`
  return {
    ...database,
    async taken() {
      await sql.begin((tx) => takeSnapshots(tx, 1n, { organizationIds: [1], now: new Date() }))
      return sql<{ document: string; verified: boolean; message: Message | null }[]>`
        select document, verified_at is not null as verified, message from vigia.snapshot order by document`
    },
  }
}

test('an unverified document has its reason as a message', async () => {
  await using t = await setup(['ok', 'queued', 'timed_out', 'waiting'])
  const taken = await t.taken()
  expect(taken.map(({ document, message }) => [document, message])).toEqual([
    ['ok', null],
    ['queued', ['unverified_late', 'analysis']],
    ['timed_out', ['unverified', 'analysis', 'timed_out']],
    ['unasked', ['never_asked']],
    ['waiting', ['unverified_late', 'analysis']],
  ])
  for (const { verified, message } of taken) expect(verified).toBe(message === null)
})

test.each([
  { cause: 'budget', waiting: ['unverified_late', 'analysis'] },
  { cause: 'token', waiting: ['unverified_held', 'analysis', 'token'] },
])('a hold for $cause is the reason for what it stopped, and for nothing else', async ({ cause, waiting }) => {
  await using t = await setup(['queued', 'waiting'])
  await t.sql`insert into vigia.lane (organization_id, kind, cause) values (1, 'analysis', ${cause})`
  const messageOf = new Map((await t.taken()).map(({ document, message }) => [document, message]))
  expect(messageOf.get('queued')).toEqual(['unverified_held', 'analysis', cause])
  expect(messageOf.get('waiting')).toEqual(waiting)
})
