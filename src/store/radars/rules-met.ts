import type { JSONValue } from 'postgres'
import type { RiskChange, Verdict } from '../../domain/risk-change.ts'
import type { Met, Rule, Seen, Severity } from '../../domain/rule.ts'
import { within } from '../bound.ts'
import type { Sql } from '../connect.ts'
import { allValues, firstValue, inPages } from '../rows.ts'

export type NewChange = Omit<RiskChange, 'verdict' | 'before' | 'after'> & {
  organizationId: bigint
  document: string
  verdict: Verdict
  before: string | null
  after: string | null
}

/** Records changes of a sweep; those that were recorded before stay as they are. */
export const insertChanges = async (sql: Sql, sweepId: bigint, changes: NewChange[], now: Date): Promise<void> => {
  if (changes.length === 0) return
  await sql`
    insert into vigia.change (sweep_id, organization_id, document, field, verdict, before, after, weight, seen_at)
    select ${sweepId}, organization_id, document, field, verdict, before, after, weight, ${now}
      from unnest(${changes.map((c) => c.organizationId)}::bigint[], ${changes.map((c) => c.document)}::text[],
                  ${changes.map((c) => c.field)}::text[], ${changes.map((c) => c.verdict)}::text[],
                  ${changes.map((c) => c.before)}::text[], ${changes.map((c) => c.after)}::text[],
                  ${changes.map((c) => c.weight)}::bigint[])
           as found (organization_id, document, field, verdict, before, after, weight)
        on conflict (sweep_id, organization_id, document, field) do nothing`
}

/** A change as rules see it, and the night that found it. */
export type JudgedChange = Seen & { id: bigint; sweepId: bigint; night: Date }

/** Streams the changes that a sweep found. */
export const streamSweepChanges = (tx: Sql, sweepId: bigint): AsyncGenerator<JudgedChange[]> =>
  inPages<JudgedChange>(tx, tx`${selectJudged(tx)} where c.sweep_id = ${sweepId} order by c.id`)

/** Streams every stored change, night by night; of nights that ended, as they were judged. */
export async function* streamAllChanges(sql: Sql): AsyncGenerator<JudgedChange[]> {
  yield* sql<JudgedChange[]>`
    ${selectJudged(sql)} where s.state = 'done' order by c.sweep_id, c.id`.cursor(1_000)
}

const selectJudged = (sql: Sql) => sql`
  select c.id, c.sweep_id, c.organization_id, c.document, c.field, c.verdict, c.before,
         c.after, s.started_at as night, p.name as portfolio
    from vigia.change c
    join vigia.sweep s on s.id = c.sweep_id
    left join vigia.portfolio p on p.id = s.portfolio_id`

/** The last notification about these documents on nights before this one, by rule and figure. */
export const readLastNotified = (sql: Sql, sweepId: bigint, documents: string[]) => sql<
  (JudgedChange & { rule: string })[]
>`
  select distinct on (c.organization_id, c.document, c.field, m.rule)
         c.id, c.sweep_id, c.organization_id, c.document, c.field, c.verdict, c.before,
         c.after, s.started_at as night, m.rule
    from vigia.change c
    join vigia.rule_met m on m.change_id = c.id and m.notified
    join vigia.sweep s on s.id = c.sweep_id
   where c.document = any(${documents}::text[]) and c.sweep_id < ${sweepId}
   order by c.organization_id, c.document, c.field, m.rule, c.sweep_id desc`

/** The figures that a person has snoozed. */
export const listSnoozed = (sql: Sql) => sql<(Seen & { at: Date; until: Date })[]>`
  select organization_id, document, field, verdict, before, after, acknowledged_at as at, snoozed_until as until
    from vigia.change
   where snoozed_until is not null`

/** Records which rules changes met; those judged before stay as they are. */
export const insertMet = async (sql: Sql, met: (Met & { changeId: bigint })[]): Promise<void> => {
  if (met.length === 0) return
  await sql`
    insert into vigia.rule_met (change_id, rule, severity, notified)
    select *
      from unnest(${met.map((m) => m.changeId)}::bigint[], ${met.map((m) => m.rule)}::text[],
                  ${met.map((m) => m.severity)}::text[], ${met.map((m) => m.notified)}::boolean[])
        on conflict (change_id, rule) do nothing`
}

/** How many changes of a sweep people are notified of, by severity. */
export const countNotified = async (sql: Sql, sweepId: bigint): Promise<Partial<Record<Severity, number>>> => {
  const rows = await sql<{ severity: Severity; changes: number }[]>`
    select m.severity, count(distinct c.id)::int as changes
      from vigia.change c
      join vigia.rule_met m on m.change_id = c.id and m.notified
     where c.sweep_id = ${sweepId}
     group by m.severity`
  return Object.fromEntries(rows.map(({ severity, changes }) => [severity, changes]))
}

/** Acknowledges changes; with `until` they are also snoozed. Returns those that exist. */
export const acknowledge = (
  sql: Sql,
  changes: readonly bigint[],
  acknowledgement: { by: string; note: string; until: Date | null; now: Date },
): Promise<bigint[]> =>
  allValues(sql`
    update vigia.change
       set acknowledged_at = ${acknowledgement.now}, acknowledged_by = ${acknowledgement.by}, note = ${acknowledgement.note}, snoozed_until = ${acknowledgement.until}
     where id = any(${changes as bigint[]}::bigint[]) and ${within(sql, 'organization_id')}
    returning id`)

/** The first sweep of each of the last days with a radar sweep or a portfolio run, newest first. */
export const lastNights = (sql: Sql, nights: number) => sql<{ id: bigint }[]>`
  select min(id) as id
    from vigia.sweep
   where name in ('radars', 'portfolio') and state = 'done'
   group by (started_at at time zone 'UTC')::date
   order by 1 desc
   limit ${nights}`

/** A rule of the page. */
type PageRule = { id: bigint; setting: Rule; isOn: boolean; addedAt: Date; addedBy: string }

export const listPageRules = (sql: Sql) => sql<PageRule[]>`
  select id, setting, switched_on as is_on, added_at, added_by from vigia.rule order by lower(name)`

/** Off at first; null if there is one of that name. */
export const insertPageRule = (sql: Sql, rule: Rule, { by, now }: { by: string; now: Date }): Promise<bigint | null> =>
  firstValue(sql`
    insert into vigia.rule (name, setting, added_at, added_by)
    values (${rule.name}, ${sql.json(rule as unknown as JSONValue)}, ${now}, ${by})
        on conflict (lower(name)) do nothing
    returning id`)

/** Returns its name; null if there is none. */
export const switchPageRule = (sql: Sql, id: bigint, isOn: boolean): Promise<string | null> =>
  firstValue(sql`update vigia.rule set switched_on = ${isOn} where id = ${id} returning name`)

export const deletePageRule = (sql: Sql, id: bigint): Promise<string | null> =>
  firstValue(sql`delete from vigia.rule where id = ${id} returning name`)
