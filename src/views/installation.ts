import { z } from 'zod'
import { latencyLimits, latencyOf } from '../domain/pace.ts'
import { severities } from '../domain/rule.ts'
import { boundsOf, within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { listThroughput, type Throughput } from '../store/fleet/workers.ts'
import { channels } from '../store/people/messages.ts'
import { bigId, masked, moment, type RowOf, toView } from './fields.ts'

/** An entry of the audit log: who did what to what. */
export const auditEntry = z.object({
  id: bigId,
  at: moment,
  who: z.string(),
  what: z.string(),
  subject: z.string(),
  detail: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.output<typeof auditEntry>

/** Newest first, a page at a time. */
export const listAudit = async (sql: Sql, limit: number, before?: bigint): Promise<AuditEntry[]> => {
  const rows = await sql<RowOf<typeof auditEntry>[]>`
    select id, at, who, what, subject, detail
      from vigia.audit
     where (${before ?? null}::bigint is null or id < ${before ?? null}) and ${isOfBounds(sql)}
     order by id desc
     limit ${limit}`
  return rows.map((row) => toView(auditEntry, row))
}

/**
 * An operator who is limited to some organizations sees only entries whose subject belongs to one of them. Operators
 * without a limit also see actions on the installation.
 */
const isOfBounds = (sql: Sql) => {
  const organizations = boundsOf(sql)
  const numberAfter = (name: string) => sql`substring(subject from ${`^${name} ([0-9]{1,18})`})::bigint`
  const among = (table: string, name: string) =>
    sql`exists (select from ${sql(table)} where id = ${numberAfter(name)} and ${within(sql, 'organization_id')})`
  return organizations
    ? sql`(${among('vigia.batch', 'batch')} or ${among('vigia.lookup', 'look-up')} or ${among('vigia.change', 'change')}
        or ${among('vigia.column_choice', 'columns')} or ${numberAfter('organization')} = any(${organizations}::bigint[])
        or substring(subject from '^([0-9]{1,18})/')::bigint = any(${organizations}::bigint[])
        or subject in (select 'portfolio ' || name from vigia.portfolio where ${within(sql, 'organization_id')}))`
    : sql`true`
}

/** One notification: its subject, its address, and whether it was accepted. */
export const alert = z.object({
  id: z.uuid(),
  about: z.string(),
  severity: z.enum(severities),
  channel: z.enum(channels),
  address: z.string().describe('the recipient of a mail; for other channels the name of the setting'),
  made: moment,
  sent: moment.nullable().describe('when the receiver accepted it; null: not yet'),
  tries: z.int(),
  problem: masked.nullable().describe('why the last try failed'),
})
type AlertShown = z.output<typeof alert>

/** Newest first. */
export const listAlerts = async (sql: Sql, limit: number): Promise<AlertShown[]> => {
  const rows = await sql<RowOf<typeof alert>[]>`
    select m.id, a.about, a.severity, m.channel, m.address, m.made_at as made, m.sent_at as sent, m.tries, m.problem
      from vigia.message m
      join vigia.alert a on a.id = m.alert_id
     order by m.made_at desc, m.id
     limit ${limit}`
  return rows.map((row) => toView(alert, row))
}

export const columnChoice = z.object({
  id: bigId,
  organization: bigId,
  headers: z.array(z.string()).describe('the choice applies to files with these headers'),
  columns: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .describe('the header of each role; a list for several columns of documents'),
  by: z.string(),
  chosen: moment,
})

/** The column choices that people made, newest first. */
export const listColumnChoices = async (sql: Sql): Promise<z.output<typeof columnChoice>[]> => {
  const rows = await sql<RowOf<typeof columnChoice>[]>`
    select id, organization_id as organization, headers, columns, chosen_by as by, chosen_at as chosen
      from vigia.column_choice
     where ${within(sql, 'organization_id')}
     order by id desc`
  return rows.map((row) => toView(columnChoice, row))
}

const minutes = 60
const minute = 60_000
const nothing: Throughput = { lookups: 0, failures: 0, calls: [] }

export type LastHour = {
  calls: number
  lookups: number
  failures: number
  /** Within how many seconds half, and 95 %, of the calls were answered. */
  median: number
  slow: number
  minutes: { at: Date; perSecond: number; failures: number; slow: number | null }[]
}

/** The last hour of all workers, by minute, and in total; null if they called nothing. */
export const readLastHour = async (sql: Sql, now: Date): Promise<LastHour | null> => {
  const newest = Math.floor(now.getTime() / minute) * minute
  const times = [...Array(minutes).keys()].map((at) => newest - (minutes - 1 - at) * minute)
  const recorded = await listThroughput(sql, new Date(times[0]!))
  const calls = latencyLimits.map((_, place) => sum(recorded, (each) => each.calls[place] ?? 0))
  const total = sum(calls, (count) => count)
  if (total === 0) return null
  const known = new Map(recorded.map((each) => [each.minute.getTime(), each]))
  return {
    calls: total,
    lookups: sum(recorded, ({ lookups }) => lookups),
    failures: sum(recorded, ({ failures }) => failures),
    median: latencyOf(calls, 0.5)!,
    slow: latencyOf(calls, 0.95)!,
    minutes: times.map((time) => {
      const { lookups, failures, calls } = known.get(time) ?? nothing
      return { at: new Date(time), perSecond: lookups / 60, failures, slow: latencyOf(calls, 0.95) }
    }),
  }
}

const sum = <Each>(list: readonly Each[], of: (each: Each) => number): number =>
  list.reduce((total, each) => total + of(each), 0)
