import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { fatalDeaths } from '../../src/engine/dispatch.ts'
import { claimLookups, releaseFromDead } from '../../src/store/lookups/claims.ts'
import { lockOverdue } from '../../src/store/lookups/overdue.ts'
import { openDatabase } from '../support/database.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

test('a look-up that is claimed at every death is quarantined as failed, with that reason; one with an unknown outcome or a call under way never is', async () => {
  await using database = await openDatabase()
  const { sql } = database
  const made = await sql<{ id: bigint }[]>`
    insert into vigia.lookup (organization_id, kind, question, batch_id, due_at, deadline_at, state, sending_at, charged)
    values (7, 'processes', 'a', 1, now(), now() + interval '1 day', 'queued', null, 'no'),
           (7, 'analysis', 'b', 1, now(), now() + interval '1 day', 'sending', now(), 'unknown'),
           (7, 'analysis', 'c', 1, now(), now() + interval '1 day', 'queued', null, 'no')
    returning id`
  const [asked, outcomeUnknown, sent] = made.map(({ id }) => id)
  await sql`insert into vigia.intent_group (lookup_ids, sent_at, judged_at) values (array[${sent!}::bigint], now(), now())`

  const read = () => sql`select state, message, due_at is not null as due from vigia.lookup order by id`

  for (let death = 1; death <= fatalDeaths; death++) {
    expect(await read()).toMatchObject([
      { state: 'queued', message: null, due: true },
      { state: 'sending', due: true },
      { state: 'queued', due: true },
    ])
    const claims = [
      { jobId: randomUUID(), state: 'queued' as const, ids: [asked!, sent!] },
      { jobId: randomUUID(), state: 'sending' as const, ids: [outcomeUnknown!] },
    ]
    await claimLookups(sql, claims, new Date(Date.now() + 1_000))
    for (const { jobId } of claims) await releaseFromDead(sql, jobId, fatalDeaths, new Date())
  }

  const after = await read()
  expect(after[0]).toMatchObject({ state: 'failed', message: ['died_thrice'], due: false })
  expect(after[1]).toMatchObject({ state: 'sending', due: true })
  expect(after[2]).toMatchObject({ state: 'queued', due: true })
})

test('a job releases what it had not settled, and only its own claims', async () => {
  await using database = await openDatabase()
  const { sql } = database
  const made = await sql<{ id: bigint }[]>`
    insert into vigia.lookup (organization_id, kind, question, batch_id, due_at, deadline_at, state)
    values (7, 'processes', 'a', 1, now(), now() + interval '1 day', 'waiting'),
           (7, 'processes', 'b', 1, now(), now() + interval '1 day', 'waiting'),
           (7, 'processes', 'c', 1, now(), now() + interval '1 day', 'waiting') returning id`
  const [left, later, moved] = made.map(({ id }) => id)
  const jobId = randomUUID()
  await claimLookups(sql, [{ jobId, state: 'waiting', ids: [left!, later!, moved!] }], new Date(Date.now() + 1_000))
  await sql`update vigia.lookup set due_at = now() + interval '1 hour' where id = ${later!}`
  await sql`update vigia.lookup set state = 'queued' where id = ${moved!}`

  expect(await releaseFromDead(sql, randomUUID(), fatalDeaths, new Date())).toEqual([])
  expect(await releaseFromDead(sql, jobId, fatalDeaths, new Date())).toEqual([{ id: left, isQuarantined: false }])
  expect(await releaseFromDead(sql, jobId, fatalDeaths, new Date())).toEqual([])
})

test('a look-up that waits makes its last poll, due at the deadline, before it is overdue', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 3_600_000 } })
  await t.submit(csvOf(cpfs(1)))
  const deadline = new Date(Date.now() + 3_600_000)
  const overdueAfter = (ms: number) => lockOverdue(t.sql, new Date(deadline.getTime() + ms))
  // A poll that is under way keeps the look-up claimed, and then sets a due date of its own.
  await until(async () => {
    await t.sql`update vigia.lookup set due_at = ${deadline}, deadline_at = ${deadline} where state = 'waiting'`
    const counts = [await overdueAfter(1_000), await overdueAfter(3_000)].map(({ length }) => length)
    return String(counts) === '0,1'
  })
})
