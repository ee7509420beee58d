import type { Kind } from '../../domain/kind.ts'
import type { Sql } from '../connect.ts'
import { allValues, type FigureRow, inPages, onlyRow, splitFigures } from '../rows.ts'

/** The radars of the mirror that a sweep checks. */
export const dueRadars = (sql: Sql, organizationId: number) => sql<{ document: string }[]>`
  select document from vigia.radar where organization_id = ${organizationId} and active and removed_at is null`

/** Plans a snapshot of every active radar of the organization. */
export const planSnapshots = (sql: Sql, sweepId: bigint, organizationId: number) => sql`
  insert into vigia.snapshot (sweep_id, organization_id, document)
  select ${sweepId}, ${organizationId}, due.document
    from (${dueRadars(sql, organizationId)}) as due
      on conflict do nothing`

/** Whom to ask about once more: documents whose look-up ended without an answer before a moment, and with tries left. */
export type AskAgain = { mostTries: number; endedBefore: Date }

/**
 * Documents without a look-up in this sweep so far, or those to ask about `again`.
 *
 * Not again: what the registry calls invalid, what a person must settle, and what the budget does not allow.
 */
export const documentsToAsk = (
  sql: Sql,
  sweepId: bigint,
  organizationId: bigint,
  limit: number,
  again?: AskAgain,
): Promise<string[]> =>
  allValues(sql`
    select s.document
      from vigia.snapshot s
      left join vigia.lookup p on p.id = s.processes_lookup_id and p.state = any(${askedAgain}::text[])
      left join vigia.lookup a on a.id = s.analysis_lookup_id and a.state = any(${askedAgain}::text[])
     where s.sweep_id = ${sweepId} and s.organization_id = ${organizationId} and s.tries < ${again?.mostTries ?? 1}
       and ${again ? sql`greatest(p.finished_at, a.finished_at) <= ${again.endedBefore}` : sql`s.tries = 0`}
     order by s.document
     limit ${limit}`)

export const recordAsked = (
  sql: Sql,
  sweepId: bigint,
  organizationId: bigint,
  asked: { document: string; processes: bigint | null; analysis: bigint | null }[],
) => sql`
  update vigia.snapshot s
     set processes_lookup_id = asked.processes, analysis_lookup_id = asked.analysis, tries = s.tries + 1
    from unnest(${asked.map((a) => a.document)}::text[], ${asked.map((a) => a.processes && String(a.processes))}::bigint[],
                ${asked.map((a) => a.analysis && String(a.analysis))}::bigint[]) as asked (document, processes, analysis)
   where s.sweep_id = ${sweepId} and s.organization_id = ${organizationId} and s.document = asked.document`

/** How many documents still wait for their look-ups, or `compares` for the comparison of their free figures, and when the last one without an answer may be asked about again. */
export const sweepProgress = async (
  sql: Sql,
  sweepId: bigint,
  organizationIds: bigint[],
  { mostTries, compares }: { mostTries: number; compares: boolean },
): Promise<{ open: number; unanswered: number; lastEndedAt: Date | null }> => {
  const unanswered = sql`s.tries < ${mostTries} and (p.state = any(${askedAgain}::text[]) or a.state = any(${askedAgain}::text[]))`
  return onlyRow(sql`
    select (count(*) filter (where p.id is not null and p.finished_at is null
                                or a.id is not null and a.finished_at is null
                                or ${compares} and ${isUncompared(sql)}))::int as open,
           (count(*) filter (where ${unanswered}))::int as unanswered,
           max(greatest(p.finished_at, a.finished_at)) filter (where ${unanswered}) as last_ended_at
      from vigia.snapshot s
      left join vigia.lookup p on p.id = s.processes_lookup_id
      left join vigia.lookup a on a.id = s.analysis_lookup_id
     where s.sweep_id = ${sweepId} and s.organization_id = any(${organizationIds}::bigint[])`)
}

/** Snapshot `s` has its free figures, and whether they moved was not decided; `p` is its look-up of processes. */
export const isUncompared = (sql: Sql) => sql`
  (s.moved is null and s.tries > 0 and (s.processes_lookup_id is null or p.state = 'ok'))`

const askedAgain = ['failed', 'timed_out', 'plan_blocked', 'denied', 'cancelled']

/**
 * Records the figures of each document: verified if everything that was asked is answered, and otherwise why not. Answers
 * are kept in either case. `organizationIds` are those that can be asked for.
 */
export const takeSnapshots = (
  sql: Sql,
  sweepId: bigint,
  { organizationIds, now }: { organizationIds: number[]; now: Date },
) => sql`
  update vigia.snapshot s
     set processes = pa.total, counts = vigia.searched_counts(aa), cents = vigia.searched_cents(aa),
         verified_at = case when why.message is null then ${now}::timestamptz end,
         message = why.message
    from vigia.snapshot same
    left join vigia.lookup p on p.id = same.processes_lookup_id
    left join vigia.answer pa on pa.lookup_id = p.id and p.state = 'ok'
    left join vigia.lookup a on a.id = same.analysis_lookup_id
    left join vigia.answer aa on aa.lookup_id = a.id and a.state = 'ok'
    left join vigia.lane hp on hp.organization_id = same.organization_id and hp.kind = 'processes'
                        and vigia.hold_stops(hp.cause, p.state)
    left join vigia.lane ha on ha.organization_id = same.organization_id and ha.kind = 'analysis'
                        and vigia.hold_stops(ha.cause, a.state)
   cross join lateral (
     select case when (same.tries = 0 or p.state <> 'ok' or a.state <> 'ok')
                  and not same.organization_id = any(${organizationIds}::bigint[])
                 then jsonb_build_array('organization_gone', same.organization_id)
                 when same.tries = 0 then jsonb_build_array('never_asked')
                 when same.processes_lookup_id is not null and p.state is distinct from 'ok'
                 then ${problemOf(sql, 'processes', 'p', 'hp')}
                 when same.analysis_lookup_id is not null and a.state is distinct from 'ok'
                 then ${problemOf(sql, 'analysis', 'a', 'ha')} end as message) as why
   where same.sweep_id = ${sweepId}
     and s.sweep_id = same.sweep_id and s.organization_id = same.organization_id and s.document = same.document`

const problemOf = (sql: Sql, kind: Kind, lookup: 'p' | 'a', lane: 'hp' | 'ha') => sql`
  case when ${sql(lookup)}.finished_at is not null then jsonb_build_array('unverified', ${kind}::text, ${sql(lookup)}.state)
       when ${sql(lane)}.cause is not null then jsonb_build_array('unverified_held', ${kind}::text, ${sql(lane)}.cause)
       else jsonb_build_array('unverified_late', ${kind}::text) end`

/** Snapshot `s` has figures. While a sweep is under way its other snapshots have no reason yet, and are not verified either. */
export const isVerified = (sql: Sql) => sql`(s.verified_at is not null)`

type DifferenceRow = FigureRow & { organizationId: bigint; document: string }

/** Streams the documents whose figures differ from the last known ones. */
export async function* streamDifferences(tx: Sql, sweepId: bigint) {
  const rows = tx`
    select s.organization_id, s.document, s.processes, s.counts, s.cents,
           p.processes as processes_before, known.counts as counts_before, known.cents as cents_before
      from vigia.snapshot s
      left join lateral (
        select h.processes from vigia.snapshot h
         where h.organization_id = s.organization_id and h.document = s.document and h.sweep_id < s.sweep_id
           and h.processes is not null
         order by h.sweep_id desc limit 1) as p on true
      left join lateral (
        select h.counts, h.cents from vigia.snapshot h
         where h.organization_id = s.organization_id and h.document = s.document and h.sweep_id < s.sweep_id
           and h.counts is not null
         order by h.sweep_id desc limit 1) as a on true
     cross join lateral (select ${lastKnown(tx, 'counts')} as counts, ${lastKnown(tx, 'cents')} as cents) as known
     where s.sweep_id = ${sweepId}
       and (s.processes <> p.processes or s.counts <> known.counts or s.cents <> known.cents)`
  for await (const page of inPages<DifferenceRow>(tx, rows)) yield page.map(splitFigures)
}

/** One that the last summary lacks is looked for in the snapshots before it. Nearly every summary has all figures. */
const lastKnown = (sql: Sql, column: 'counts' | 'cents') => sql`
  case when array_position(a.${sql(column)}, null) is null then a.${sql(column)}
       else array(select coalesce(a.${sql(column)}[place], (
                           select h.${sql(column)}[place] from vigia.snapshot h
                            where h.organization_id = s.organization_id and h.document = s.document
                              and h.sweep_id < s.sweep_id and h.${sql(column)}[place] is not null
                            order by h.sweep_id desc limit 1))
                    from generate_subscripts(a.${sql(column)}, 1) as place
                   order by place) end`
