import type { Fragment } from 'postgres'
import type { FreeFigure, FreeFigures } from '../../domain/sweep.ts'
import type { Sql } from '../connect.ts'
import { isUncompared } from './snapshots.ts'

/** The free totals of a document in the list of analyses. */
export type ListedTotals = { document: string; totalRisk: number | null; totalAnalyzed: number | null }

/**
 * Writes the totals of documents that the sweep checks; the list may show many others. A document of several items has
 * the greatest of each, whatever their order: an order that varies is no change.
 */
export const recordTotals = (sql: Sql, sweepId: bigint, organizationId: bigint, listed: ListedTotals[]) => sql`
  update vigia.snapshot s
     set total_risk = greatest(s.total_risk, listed.risk), total_analyzed = greatest(s.total_analyzed, listed.analyzed)
    from unnest(${listed.map(({ document }) => document)}::text[], ${listed.map(({ totalRisk }) => totalRisk)}::int[],
                ${listed.map(({ totalAnalyzed }) => totalAnalyzed)}::int[]) as listed (document, risk, analyzed)
   where s.sweep_id = ${sweepId} and s.organization_id = ${organizationId} and s.document = listed.document`

/** A list that does not show everything proves nothing. */
export const forgetTotals = (sql: Sql, sweepId: bigint, organizationId: bigint) => sql`
  update vigia.snapshot set total_risk = null, total_analyzed = null
   where sweep_id = ${sweepId} and organization_id = ${organizationId} and (total_risk, total_analyzed) is distinct from (null, null)`

export const endTotals = (sql: Sql, sweepId: bigint, organizationId: bigint, how: 'read' | 'failed') => sql`
  update vigia.sweep_organization set totals = ${how} where sweep_id = ${sweepId} and organization_id = ${organizationId}`

/** A document with its free figures, now and when its analysis was new. */
type Compared = { document: string; now: FreeFigures; before: FreeFigures }

type ComparedRow = { document: string } & FreeFigures & Record<`${FreeFigure}Before`, number | null>

/** Documents of a sweep whose free figures are read and not compared yet. */
export const uncomparedDocuments = async (
  sql: Sql,
  { id, startedAt }: { id: bigint; startedAt: Date },
  organizationId: bigint,
  limit: number,
): Promise<Compared[]> => {
  const rows = await sql<ComparedRow[]>`
    with night as materialized (select id, started_at from vigia.sweep where name = 'radars' and id < ${id})
    select s.document, pa.total as processes, s.total_risk, s.total_analyzed, ${beforeColumns(sql)}
      from vigia.snapshot s
      left join vigia.lookup p on p.id = s.processes_lookup_id
      left join vigia.answer pa on pa.lookup_id = p.id
      left join vigia.lookup a on a.id = s.analysis_lookup_id and a.state = 'ok' and vigia.fresh_from(a) < ${startedAt}
     ${withFirstFigures(sql, sql`s.organization_id`, sql`s.document`)}
     where s.sweep_id = ${id} and s.organization_id = ${organizationId} and ${isUncompared(sql)}
     order by s.document
     limit ${limit}`
  return rows.map(toCompared)
}

/** The figures of the first night that began after analysis `a` was ready. Without one, nothing is compared. */
const withFirstFigures = (sql: Sql, organizationId: Fragment, document: Fragment) => sql`
  left join lateral (select min(id) as id from night where started_at > a.finished_at) as first on true
  left join lateral (
    select (array_agg(h.processes order by h.sweep_id) filter (where h.processes is not null))[1] as processes,
           (array_agg(h.total_risk order by h.sweep_id) filter (where h.total_risk is not null))[1] as risk,
           (array_agg(h.total_analyzed order by h.sweep_id) filter (where h.total_analyzed is not null))[1] as analyzed
      from vigia.snapshot h
     where h.organization_id = ${organizationId} and h.document = ${document}
       and h.sweep_id >= first.id and h.sweep_id in (select id from night)) as known on true`

const beforeColumns = (sql: Sql) => sql`
  known.processes as processes_before, known.risk as total_risk_before, known.analyzed as total_analyzed_before`

const toCompared = ({ document, ...row }: ComparedRow): Compared => ({
  document,
  now: { processes: row.processes, totalRisk: row.totalRisk, totalAnalyzed: row.totalAnalyzed },
  before: { processes: row.processesBefore, totalRisk: row.totalRiskBefore, totalAnalyzed: row.totalAnalyzedBefore },
})

/** Null in `moved`: nothing moved. A new analysis replaces the one that the snapshot had. */
export const recordMoved = (
  sql: Sql,
  sweepId: bigint,
  organizationId: bigint,
  compared: { document: string; moved: FreeFigure | null; analysis: bigint | null }[],
) => sql`
  update vigia.snapshot s
     set moved = coalesce(compared.moved, 'none'), analysis_lookup_id = coalesce(compared.analysis, s.analysis_lookup_id)
    from unnest(${compared.map(({ document }) => document)}::text[], ${compared.map(({ moved }) => moved)}::text[],
                ${compared.map(({ analysis }) => analysis && String(analysis))}::bigint[]) as compared (document, moved, analysis)
   where s.sweep_id = ${sweepId} and s.organization_id = ${organizationId} and s.document = compared.document`

/** How many new analyses a sweep asked for because a figure moved, by figure. */
export const countMoved = (sql: Sql, sweepId: bigint) => sql<{ moved: FreeFigure; documents: number }[]>`
  select moved, count(*)::int as documents
    from vigia.snapshot where sweep_id = ${sweepId} and moved <> 'none' group by moved order by moved`

/**
 * The same before a sweep: documents whose analysis is still young enough, with the figures of the last night. Those of
 * the list are as the caller read them.
 */
export const lastFigures = async (
  sql: Sql,
  organizationId: number,
  documents: string[],
  since: Date,
): Promise<Compared[]> => {
  const rows = await sql<ComparedRow[]>`
    with night as materialized (select id, started_at from vigia.sweep where name = 'radars')
    select d.document, last.processes, null::int as total_risk, null::int as total_analyzed, ${beforeColumns(sql)}
      from unnest(${documents}::text[]) as d (document)
      join vigia.lookup a on a.question = d.document and a.kind = 'analysis' and a.organization_id = ${organizationId}
                         and a.current and a.state = 'ok' and vigia.fresh_from(a) > ${since}
     ${withFirstFigures(sql, sql`${organizationId}::bigint`, sql`d.document`)}
      left join lateral (
        select h.processes from vigia.snapshot h
         where h.organization_id = ${organizationId} and h.document = d.document and h.processes is not null
         order by h.sweep_id desc limit 1) as last on true`
  return rows.map(toCompared)
}
