import { z } from 'zod'
import type { Settings } from '../../config/settings.ts'
import { priceOf, type UnitPrices } from '../domain/amount.ts'
import { nextMonth } from '../domain/calendar.ts'
import { maskDocument } from '../domain/document.ts'
import { freshSinceOf } from '../domain/duration.ts'
import { spendingKinds } from '../domain/kind.ts'
import { portfolioKinds, type RunsAhead, runsAhead } from '../domain/portfolio.ts'
import { riskVerdicts, type Verdict } from '../domain/risk-change.ts'
import { type FormatMessage, inText, type Message } from '../messages/message.ts'
import type { Sql } from '../store/connect.ts'
import type { Portfolio } from '../store/portfolios/portfolios.ts'
import { firstValue, onlyRow } from '../store/rows.ts'
import { bigId, iso, masked, moment, price, purposeFields, type RowOf, toPurposeFields, toView } from './fields.ts'

/** A list of documents that is looked up at an interval, and its cost this month. */
export const portfolioLine = z.object({
  name: z.string(),
  organization: z.int(),
  kind: z.enum(portfolioKinds),
  state: z
    .enum(['waiting', 'running', 'pausing', 'paused'])
    .describe('pausing: the current run continues, and is the last until somebody resumes the portfolio'),
  documents: z.int(),
  everySeconds: z.number(),
  due: moment.nullable().describe('when the next run begins, or would begin if it were not paused; null during a run'),
  runs: z.int().describe('how many runs have ended'),
  month: z.object({
    spent: z.int().describe('paid look-ups of its runs that began this month'),
    price,
    forecast: z.int().describe('the expected paid look-ups of the month, by the answers that are fresh now'),
    forecastPrice: price,
  }),
  ...purposeFields,
  added: moment,
  by: z.string(),
})
export type PortfolioLine = z.output<typeof portfolioLine>

/** The verdicts of a run about a document, in the order in which they are shown. */
const runVerdicts = [...riskVerdicts, 'added', 'removed', 'unchecked'] as const satisfies readonly Verdict[]

/** One run: its batch, its coverage, and how many documents differ from the run before. */
export const portfolioRun = z.object({
  sweep: bigId,
  batch: bigId.nullable(),
  before: bigId.nullable().describe('the batch of the previous run, while it is kept'),
  state: z.enum(['running', 'done', 'failed']),
  started: moment,
  finished: moment.nullable(),
  first: z
    .boolean()
    .nullable()
    .describe('true: there was no previous run to compare with; null: not compared yet, or it ended before 0.2.0'),
  documents: z.int(),
  verified: z.int(),
  changed: z.int(),
  differences: z.record(z.string(), z.int()).describe(`documents per verdict: ${runVerdicts.join(', ')}`),
  spent: z.int().nullable(),
  price,
  reason: z.string().nullable().describe('why it failed'),
})
export type PortfolioRunShown = z.output<typeof portfolioRun>

/** The verdicts of a run, with the number of documents of each. */
export const differencesOf = ({ differences }: PortfolioRunShown) =>
  runVerdicts.flatMap((verdict) => {
    const documents = differences[verdict]
    return documents ? [{ verdict, documents }] : []
  })

/** Also true during a last run, because no run begins after it. */
export const isPaused = ({ state }: Pick<PortfolioLine, 'state'>): boolean => state === 'paused' || state === 'pausing'

/** What a forecast needs of the settings, and the moment of it. */
type ForecastTerms = Pick<Settings, 'timezone' | 'budget' | 'forKind'> & { now: Date }

export const toPortfolioView = async (sql: Sql, of: Portfolio, terms: ForecastTerms): Promise<PortfolioLine> => {
  const { documents, spent, open } = await readMonth(sql, of, terms)
  const forecast = spent + open + (await countAhead(sql, of, terms))
  const { unitPrice: prices } = terms.budget
  return {
    name: of.name,
    organization: Number(of.organizationId),
    kind: of.kind,
    state: stateOf(of),
    documents,
    everySeconds: of.everyMs / 1_000,
    due: iso(of.dueAt),
    runs: of.runs,
    month: {
      spent,
      price: priceOf(prices, of.kind, spent),
      forecast,
      forecastPrice: priceOf(prices, of.kind, forecast),
    },
    ...toPurposeFields(of.purpose),
    added: iso(of.addedAt),
    by: of.addedBy,
  }
}

const stateOf = ({ dueAt, pausedAt }: Portfolio): PortfolioLine['state'] => {
  if (dueAt === null) return pausedAt ? 'pausing' : 'running'
  return pausedAt ? 'paused' : 'waiting'
}

type Month = { documents: number; spent: number; open: number }

/** What its runs of this month have spent, and what the current run may still spend. */
const readMonth = (sql: Sql, { id }: Portfolio, { now, timezone }: ForecastTerms): Promise<Month> =>
  onlyRow(sql`
    select (select count(*)::int from vigia.portfolio_document where portfolio_id = ${id} and removed_at is null) as documents,
           coalesce(sum(b.spent) filter (where s.started_at >= m.began), 0)::int as spent,
           coalesce(sum(greatest(least(b.to_be_paid, b.max_spend) - b.spent, 0)) filter (where s.state = 'running'), 0)::int as open
      from (select date_trunc('month', ${now}::timestamptz at time zone ${timezone}) at time zone ${timezone} as began) as m
      left join vigia.sweep s on s.portfolio_id = ${id} and (s.started_at >= m.began or s.state = 'running')
      left join vigia.batch b on b.id = s.batch_id`)

/** What the remaining runs will buy: each document once its answer is no longer fresh. */
const countAhead = async (sql: Sql, of: Portfolio, { now, timezone, forKind }: ForecastTerms): Promise<number> => {
  if (!spendingKinds.includes(of.kind)) return 0
  const freshnessMs = forKind[of.kind].freshness
  const until = nextMonth(now, timezone)
  const ahead = runsAhead({ ...of, isPaused: of.pausedAt !== null }, { now, until, freshnessMs })
  return ahead.count === 0 ? 0 : countPurchases(sql, of, ahead, freshnessMs)
}

const countPurchases = (sql: Sql, of: Portfolio, ahead: RunsAhead, freshnessMs: number): Promise<number> => {
  const { firstAt, count, everyMs, buysEach } = ahead
  return firstValue(sql`
    select coalesce(sum((${count}::int - 1 - skipped) / ${buysEach}::int + 1) filter (where skipped < ${count}), 0)::int as units
      from (select greatest(0, ceil((extract(epoch from vigia.fresh_from(l) - ${firstAt}::timestamptz) * 1000 + ${freshnessMs}::float8)
                                    / ${everyMs}::float8))::int as skipped
              from vigia.portfolio_document d
              left join vigia.lookup l on l.question = d.document and l.kind = ${of.kind}
                                      and l.organization_id = ${of.organizationId} and l.current
                                      and vigia.is_fresh(l, ${freshSinceOf({ freshness: freshnessMs }, firstAt)})
             where d.portfolio_id = ${of.id} and d.removed_at is null) as ahead`)
}

type StoredRun = Omit<RowOf<typeof portfolioRun>, 'price' | 'reason'> & { said: Message | null }

/** The last runs, newest first. */
export const listRuns = async (
  sql: Sql,
  { id, kind }: Portfolio,
  {
    prices,
    limit,
    formatMessage = inText,
  }: { prices: UnitPrices | null; limit: number; formatMessage?: FormatMessage },
): Promise<PortfolioRunShown[]> => {
  const runs = await sql<StoredRun[]>`
    select s.id as sweep, b.id as batch, e.id as before, s.state, s.started_at as started, s.finished_at as finished,
           (s.detail ->> 'first')::boolean as first, s.due as documents, s.verified, s.changed,
           coalesce(s.detail -> 'differences', '{}') as differences, b.spent, s.detail -> 'said' as said
      from (select sweep.*, lead(batch_id) over (order by id desc) as earlier from vigia.sweep where portfolio_id = ${id}) as s
      left join vigia.batch b on b.id = s.batch_id
      left join vigia.batch e on e.id = s.earlier
     order by s.id desc
     limit ${limit}`
  return runs.map((run) =>
    toView(portfolioRun, {
      ...run,
      price: run.spent === null ? null : priceOf(prices, kind, run.spent),
      reason: run.said && formatMessage(run.said),
    }),
  )
}

const some = z.object({ count: z.int(), first: z.array(masked) })

/** The effect of a list on a portfolio, with the first added and removed documents, masked. */
export const portfolioList = z.object({
  documents: z.int(),
  rows: z.int(),
  rejected: z.int(),
  rejects: z.record(z.string(), z.int()),
  added: some,
  removed: some,
})
export type PortfolioList = z.output<typeof portfolioList>

/** Gets unmasked documents. */
export const toPortfolioListView = (list: PortfolioList): PortfolioList => {
  const { documents, rows, rejected, rejects, added, removed } = list
  return { documents, rows, rejected, rejects, added: firstMasked(added), removed: firstMasked(removed) }
}

const firstMasked = ({ count, first }: { count: number; first: string[] }) => ({
  count,
  first: first.map(maskDocument),
})
