import type { JSONValue } from 'postgres'
import type { Coverage } from '../../domain/sweep.ts'
import { inEnglish, type Message } from '../../messages/message.ts'
import type { Sql } from '../connect.ts'
import { firstRow, firstValue, isAny } from '../rows.ts'
import { isVerified } from './snapshots.ts'

export const sweepNames = ['radars', 'unfinished', 'usage', 'purge'] as const
export type SweepName = (typeof sweepNames)[number]
/** What a sweep may be: one by a schedule of the settings, or the run of a portfolio by its own. */
export const runNames = [...sweepNames, 'portfolio'] as const
export type RunName = (typeof runNames)[number]
export const isSweepName = (text: string): text is SweepName => (sweepNames as readonly string[]).includes(text)
type SweepTrigger = 'schedule' | 'missed' | 'operator'
type SweepState = 'running' | 'done' | 'failed'

export type Sweep = {
  id: bigint
  name: RunName
  slot: string
  state: SweepState
  trigger: SweepTrigger
  due: number
  verified: number
  changed: number
  /** What it found. `said`: why it was given up. */
  detail: Record<string, unknown> & { said?: Message }
  startedAt: Date
  finishedAt: Date | null
}

/** Claims a slot: null if it was run before, or while another sweep of that name still runs. */
export const insertSweep = (
  sql: Sql,
  sweep: { name: RunName; slot: string; trigger: SweepTrigger; now: Date; portfolioId?: bigint },
): Promise<bigint | null> =>
  firstValue(sql`
    insert into vigia.sweep (name, slot, trigger, started_at, portfolio_id)
    values (${sweep.name}, ${sweep.slot}, ${sweep.trigger}, ${sweep.now}, ${sweep.portfolioId ?? null})
        on conflict do nothing
    returning id`)

/** Ends a running sweep with its result; ending it twice changes nothing. */
export const finishSweep = (
  sql: Sql,
  id: bigint,
  end: { state: 'done' | 'failed'; due?: number; verified?: number; changed?: number; detail: object; now: Date },
): Promise<boolean> =>
  isAny(sql`
    update vigia.sweep
       set state = ${end.state}, due = ${end.due ?? 0}, verified = ${end.verified ?? 0}, changed = ${end.changed ?? 0},
           detail = ${sql.json(end.detail as JSONValue)}, finished_at = ${end.now}
     where id = ${id} and state = 'running'`)

/** Gives up a running sweep and records why. */
export const failSweep = (
  sql: Sql,
  id: bigint,
  { why, now, ...rest }: { why: Message; now: Date; portfolio?: string },
): Promise<boolean> => finishSweep(sql, id, { state: 'failed', detail: { ...rest, said: why }, now })

/** Counts a failed step of a running sweep; returns how many failed in a row. */
export const countFailure = async (sql: Sql, id: bigint): Promise<number> =>
  (await firstValue<number | null>(sql`
    update vigia.sweep set failures = failures + 1 where id = ${id} and state = 'running' returning failures`)) ?? 0

export const forgetFailures = (sql: Sql, id: bigint) => sql`
  update vigia.sweep set failures = 0 where id = ${id} and failures > 0`

export const readSweep = (sql: Sql, id: bigint): Promise<Sweep | null> =>
  firstRow(sql`select ${sweepColumns(sql)} from vigia.sweep where id = ${id}`)

export const hasSlot = (sql: Sql, name: SweepName, slot: string): Promise<boolean> =>
  isAny(sql`select from vigia.sweep where name = ${name} and slot = ${slot}`)

/** Newest first; of one name, or of all. */
export const listSweeps = (sql: Sql, { name, limit }: { name?: RunName; limit: number }) => sql<Sweep[]>`
  select ${sweepColumns(sql)}
    from vigia.sweep
   where ${name ?? null}::text is null or name = ${name ?? null}
   order by id desc
   limit ${limit}`

/** The last run of each recurring task; portfolios have times of their own. */
export const lastSweeps = (sql: Sql) => sql<Sweep[]>`
  select distinct on (name) ${sweepColumns(sql)} from vigia.sweep where name <> 'portfolio' order by name, id desc`

export const runningSweeps = (sql: Sql) => sql<Sweep[]>`
  select ${sweepColumns(sql)} from vigia.sweep where state = 'running' order by id`

/** Recent sweeps that were made up late or given up; housekeeping sweeps are left out. */
export const troubledSweeps = (sql: Sql, since: Date) => sql<Sweep[]>`
  select ${sweepColumns(sql)}
    from vigia.sweep
   where coalesce(finished_at, started_at) > ${since} and name <> 'unfinished' and (state = 'failed' or trigger = 'missed')
   order by id`

/**
 * Records since when a schedule is as it is.
 *
 * A schedule that is new or changed owes nothing from before: otherwise a first start in the afternoon would make up for
 * last night.
 */
export const registerSchedule = (
  sql: Sql,
  { name, expression, since }: { name: SweepName; expression: string; since: string },
): Promise<string> =>
  firstValue(sql`
    insert into vigia.schedule (name, expression, since) values (${name}, ${expression}, ${since})
        on conflict (name) do update
       set expression = excluded.expression,
           since = case when schedule.expression = excluded.expression then schedule.since else excluded.since end
    returning since`)

export const forgetSchedule = (sql: Sql, name: SweepName) => sql`delete from vigia.schedule where name = ${name}`

const sweepColumns = (sql: Sql) => sql`
  id, name, slot, state, trigger, due, verified, changed, detail, started_at, finished_at`

/** What a radar sweep proved, counted from its snapshots and changes. */
export const coverageOf = async (sql: Sql, sweepId: bigint): Promise<Coverage> => {
  const parts = await sql<{ verified: boolean; message: Message | null; documents: number }[]>`
    select ${isVerified(sql)} as verified, s.message, count(*)::int as documents
      from vigia.snapshot s
     where s.sweep_id = ${sweepId}
     group by 1, 2`
  const [changed] = await sql<{ documents: number }[]>`
    select count(distinct (organization_id, document))::int as documents from vigia.change where sweep_id = ${sweepId}`
  const sumOf = (some: readonly { documents: number }[]) => some.reduce((sum, { documents }) => sum + documents, 0)
  return {
    due: sumOf(parts),
    verified: sumOf(parts.filter(({ verified }) => verified)),
    changed: changed?.documents ?? 0,
    unverified: Object.fromEntries(
      parts.flatMap(({ message, documents }) => (message === null ? [] : [[inEnglish(message), documents]])),
    ),
  }
}

/** `message`: why; null if the sweep has not come so far. */
type Unverified = { organizationId: bigint; document: string; message: Message | null; tries: number }

/** The documents that a sweep could not check, or has not checked yet. */
export const listUnverified = (sql: Sql, sweepId: bigint, limit: number) => sql<Unverified[]>`
  select s.organization_id, s.document, s.message, s.tries
    from vigia.snapshot s
   where s.sweep_id = ${sweepId} and not ${isVerified(sql)}
   order by s.organization_id, s.document
   limit ${limit}`
