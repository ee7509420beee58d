import { erasedText } from '../../domain/lookup.ts'
import { type RiskFigures, riskVerdicts } from '../../domain/risk-change.ts'
import type { Sql } from '../connect.ts'
import { type FigureRow, firstRow, firstValue, inPages, isAny, onlyRow, splitFigures } from '../rows.ts'
import type { Portfolio } from './portfolios.ts'

/** Claims the portfolios that are due. Each is claimed once, and is not due again until its run has ended. */
export const claimDuePortfolios = (tx: Sql, now: Date) => tx<{ id: bigint; dueAt: Date }[]>`
  with due as (select id, due_at from vigia.portfolio where due_at <= ${now} and paused_at is null order by id for update skip locked)
  update vigia.portfolio p set due_at = null from due where p.id = due.id
  returning p.id, due.due_at`

/** A run under way, and its portfolio. */
export type PortfolioRun = Pick<Portfolio, 'organizationId' | 'name' | 'kind' | 'everyMs' | 'purpose'> & {
  id: bigint
  portfolioId: bigint
  batchId: bigint | null
  startedAt: Date
}

/** Null if the run has ended, or its portfolio was removed. */
export const readRun = (sql: Sql, sweepId: bigint): Promise<PortfolioRun | null> =>
  firstRow(sql`
    select s.id, p.id as portfolio_id, s.batch_id, s.started_at,
           p.organization_id, p.name, p.kind, p.every_ms::float8, p.purpose
      from vigia.sweep s
      join vigia.portfolio p on p.id = s.portfolio_id
     where s.id = ${sweepId} and s.state = 'running'`)

/** A run has one batch: a second one is refused. */
export const recordRunBatch = async (tx: Sql, sweepId: bigint, batchId: bigint): Promise<void> => {
  const recorded = tx`update vigia.sweep set batch_id = ${batchId} where id = ${sweepId} and batch_id is null`
  if (!(await isAny(recorded))) throw new Error(`Run ${sweepId} has a batch already`)
}

/** The runs that wait for a batch. */
export const runsOfBatch = (sql: Sql, batchId: bigint) => sql<{ id: bigint }[]>`
  select id from vigia.sweep where batch_id = ${batchId} and state = 'running'`

/**
 * Whether a run is its portfolio's first, as it was decided when its differences were computed; null if it has ended.
 *
 * A run that was given up found nothing out. Sweeps are deleted after a time, but it is known for longer that an earlier
 * run asked about a document of the list, or about one that has left it since.
 */
export const decideFirst = (tx: Sql, { id, portfolioId }: PortfolioRun): Promise<boolean | null> =>
  firstValue(tx`
    update vigia.sweep
       set detail = jsonb_build_object('first', not (
             exists (select from vigia.sweep where portfolio_id = ${portfolioId} and id < ${id} and state = 'done'
                        and started_at >= coalesce((select kind_since from vigia.portfolio where id = ${portfolioId}), '-infinity'))
             or exists (select from vigia.portfolio_document where portfolio_id = ${portfolioId} and first_run < ${id})
           )) || detail
     where id = ${id} and state = 'running'
    returning (detail ->> 'first')::boolean as first`)

/** A document of a run, with the figures known before, and with those of now; `outcome` is the state of its row. */
export type RunDocument = { document: string; isFirst: boolean; outcome: string; known: RiskFigures; now: RiskFigures }

type RunRow = FigureRow & Pick<RunDocument, 'document' | 'isFirst' | 'outcome'>

/** Streams the documents that were asked about and are still in the list. */
export async function* streamRun(
  tx: Sql,
  { id, portfolioId }: PortfolioRun,
  batchId: bigint,
): AsyncGenerator<RunDocument[]> {
  const rows = tx`
    select d.document, d.first_run is null or d.first_run = ${id} as is_first, r.outcome,
           d.processes as processes_before, d.counts as counts_before, d.cents as cents_before,
           a.total as processes, vigia.searched_counts(a) as counts, vigia.searched_cents(a) as cents
      from (${askedOf(tx, batchId)}) as r
      join vigia.portfolio_document d on d.portfolio_id = ${portfolioId} and d.document = r.question
      left join vigia.answer a on a.lookup_id = r.lookup_id and r.outcome = 'ok'
     where d.removed_at is null
     order by d.document`
  for await (const page of inPages<RunRow>(tx, rows))
    yield page.map(splitFigures).map(({ before: known, after: now, ...document }) => ({ ...document, known, now }))
}

/** Each document of a batch once, with the state of its first row. */
const askedOf = (sql: Sql, batchId: bigint) => sql`
  select distinct on (l.question) l.question, l.id as lookup_id, vigia.row_outcome(r, l) as outcome
    from vigia.batch_row r
    join vigia.lookup l on l.id = r.lookup_id
   where r.batch_id = ${batchId}
   order by l.question, r.line`

/** Stores the answers as the known figures; a document without an answer keeps its previous ones. */
export const rememberRun = async (tx: Sql, { id, portfolioId }: PortfolioRun, batchId: bigint): Promise<void> => {
  await tx`
    update vigia.portfolio_document d
       set first_run = coalesce(d.first_run, ${id}),
           processes = coalesce(a.total, d.processes),
           counts = ${merged(tx, 'counts')},
           cents = ${merged(tx, 'cents')}
      from (${askedOf(tx, batchId)}) as r
      left join (select a.lookup_id, a.total, vigia.searched_counts(a) as counts, vigia.searched_cents(a) as cents
                   from vigia.answer a) as a on a.lookup_id = r.lookup_id and r.outcome = 'ok'
     where d.portfolio_id = ${portfolioId} and d.document = r.question and d.removed_at is null`
}

/** Figure by figure: the registry may send some and not others. */
const merged = (sql: Sql, column: 'counts' | 'cents') => sql`
  case when a.${sql(column)} is null then d.${sql(column)}
       else array(select coalesce(f.reported, f.known)
                    from unnest(a.${sql(column)}, d.${sql(column)}) with ordinality as f (reported, known, place)
                   order by f.place) end`

/** Deletes and returns the documents that left the list, so that each is reported once. */
export const takeRemoved = (tx: Sql, portfolioId: bigint) => tx<{ document: string }[]>`
  delete from vigia.portfolio_document where portfolio_id = ${portfolioId} and removed_at is not null returning document`

/** The next run is due so long after this one has ended that none of its answers is fresh, however long the run took. */
export const endRun = (tx: Sql, portfolioId: bigint, now: Date) => tx`
  update vigia.portfolio
     set runs = runs + 1, due_at = ${now}::timestamptz + every_ms * interval '1 millisecond'
   where id = ${portfolioId}`

/** How many documents have a figure that changed; a document that joined or left the list counts as changed. */
export const countChanged = (sql: Sql, sweepId: bigint): Promise<number> =>
  firstValue(sql`
    select count(distinct document)::int as documents
      from vigia.change
     where sweep_id = ${sweepId} and verdict = any(${[...riskVerdicts]}::text[])`)

/** Of the documents that were asked about: how many are in the list and answered, left the list meanwhile, or were erased. */
export const countVerified = async (
  tx: Sql,
  portfolioId: bigint,
  batchId: bigint,
): Promise<{ verified: number; left: number; erased: number }> => {
  const isErased = tx`starts_with(r.question, ${erasedText})`
  return onlyRow(tx`
    select (count(*) filter (where d.document is not null and r.outcome = any(${verifying}::text[])))::int as verified,
           (count(*) filter (where d.document is null and not ${isErased}))::int as left,
           (count(*) filter (where d.document is null and ${isErased}))::int as erased
      from (${askedOf(tx, batchId)}) as r
      left join vigia.portfolio_document d
             on d.portfolio_id = ${portfolioId} and d.document = r.question and d.removed_at is null`)
}

/** An invalid document was answered, but its figures are unknown, so it does not count as verified. */
export const verifying = ['ok', 'not_found']

/** How many documents of a run ended how: those without an answer by reason, the others by difference. */
export const countDifferences = (sql: Sql, sweepId: bigint) => sql<
  { verdict: string; reason: string | null; documents: number }[]
>`
  select verdict, case when verdict = 'unchecked' then after end as reason, count(distinct document)::int as documents
    from vigia.change
   where sweep_id = ${sweepId} and (verdict <> 'added' or field = 'portfolio')
   group by 1, 2`
