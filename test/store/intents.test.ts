import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertBatch } from '../../src/store/batches/batches.ts'
import type { Database } from '../../src/store/connect.ts'
import { readServer } from '../../src/store/fleet/workers.ts'
import { askLookups } from '../../src/store/lookups/ask-lookups.ts'
import { claimLookups, endClaim } from '../../src/store/lookups/claims.ts'
import { beginSending, takeBackIntents } from '../../src/store/lookups/intents.ts'
import { openDatabase } from '../support/database.ts'
import { cpfs } from '../support/documents.ts'
import { until } from '../support/until.ts'

/** A database with a running batch of three look-ups, claimed by a job. */
const openClaimed = async () => {
  const database = await openDatabase()
  const { sql } = database
  const now = new Date()
  const limits = { maxSpend: null, confirmAbove: null, encoding: 'utf8' as const, spreadsheets: false }
  const file = { name: 'people', fileName: null, fileId: null, submittedBy: null, state: 'running' as const }
  const lane = { organizationId: 7, kind: 'analysis' as const }
  const batchId = (await insertBatch(sql, { ...lane, ...file, ...limits, source: 'cli' }))!
  const questions = cpfs(3).map((question) => ({ question, documentType: null, label: null }))
  const deadlineAt = new Date(now.getTime() + 60_000)
  const asked = await askLookups(sql, questions, { ...lane, batchId, freshSince: new Date(0), deadlineAt, now })
  const ids = asked.map(({ id }) => id)
  const jobId = randomUUID()
  await claimLookups(sql, [{ jobId, state: 'queued', ids }], now)
  const { start: server } = await readServer(sql)
  return {
    ...database,
    jobId,
    ids,
    now,
    begin: () => beginSending(sql, ids, jobId, { now, judgedAfterMs: 1_000, server }),
  }
}

const intentsOf = async (sql: Database): Promise<bigint[]> =>
  (await sql<{ id: bigint }[]>`select lookup_id as id from vigia.intent order by 1`).map(({ id }) => id)

test('a job whose claim is being taken away records no intent', async () => {
  await using t = await openClaimed()
  const begun = await t.sql.begin(async (tx) => {
    await endClaim(tx, t.jobId)
    const begun = t.begin()
    await until(async () => (await waiting(t.sql)) > 0)
    return { begun }
  })

  expect(await begun.begun).toEqual([])
  expect(await intentsOf(t.sql)).toEqual([])
})

test('look-ups that are sent together have one intent row, which goes with the last of them', async () => {
  await using t = await openClaimed()
  const [first, ...others] = await t.begin()
  expect(await intentsOf(t.sql)).toEqual(t.ids)
  expect(await t.begin()).toEqual([])

  await takeBackIntents(t.sql, [{ id: first!.id, sendingAt: new Date(t.now.getTime() - 1) }])
  expect(await intentsOf(t.sql)).toEqual(t.ids)
  await takeBackIntents(t.sql, [first!])
  expect(await intentsOf(t.sql)).toEqual(t.ids.slice(1))
  expect(await t.sql`select from vigia.intent_group`).toHaveLength(1)
  await takeBackIntents(t.sql, others)
  expect(await t.sql`select from vigia.intent_group`).toHaveLength(0)
})

/** How many statements wait for a lock. */
const waiting = async (sql: Database): Promise<number> => {
  const [row] = await sql<[{ waiting: number }]>`
    select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`
  return row.waiting
}
