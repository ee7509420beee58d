import { z } from 'zod'
import { priceOf, type UnitPrices } from '../domain/amount.ts'
import {
  batchSources,
  type ReportedState,
  reportedStates,
  type ShownState,
  type SteeringVerb,
  shownStates,
} from '../domain/batch.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import { takes } from '../store/batches/batch-actions.ts'
import type { Batch } from '../store/batches/batches.ts'
import { reportedState } from '../store/batches/standing.ts'
import { within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { onTheirWay } from '../store/lookups/lookups.ts'
import { iso, kind, masked, moment, price, purposeFields, shownText, toPurposeFields } from './fields.ts'

/** The name, owner and state of a batch, in a list and by itself. Scripts read `state`; people see `shown`. */
export const batchHead = z.object({
  batch: z.int(),
  name: masked,
  fileName: masked.nullable(),
  kind,
  organization: z.int(),
  state: z.enum(shownStates),
  shown: z.enum(reportedStates).describe('the state as people see it: held while a held lane stops it'),
  rows: z.int(),
  total: z.int().describe('documents of all rows: as many as rows, unless each row is asked about several'),
  done: z.int().describe('documents with an outcome'),
  states: z.record(z.string(), z.int()).describe('documents per outcome'),
  ...purposeFields,
})

/** A batch in a list. */
export const batchLine = batchHead.extend({
  charged: z.int(),
  open: z.int().describe('calls in progress'),
  price: price.describe('of what was charged'),
  source: z.enum(batchSources),
  by: z.string().nullable(),
  submitted: moment,
  finished: moment.nullable(),
})
export type BatchLine = z.output<typeof batchLine>

type HeadRow = Pick<
  Batch,
  'id' | 'name' | 'fileName' | 'kind' | 'organizationId' | 'rows' | 'documentsPerRow' | 'purpose'
>
type Standing = { state: ShownState; shown: ReportedState; counts: Record<string, number> }

export const toBatchHeadView = (row: HeadRow, { state, shown, counts }: Standing): z.output<typeof batchHead> => ({
  batch: Number(row.id),
  name: shownText(row.name),
  fileName: shownText(row.fileName),
  kind: row.kind,
  organization: Number(row.organizationId),
  state,
  shown,
  rows: row.rows,
  total: row.rows * row.documentsPerRow,
  done: Object.values(counts).reduce((sum, rows) => sum + rows, 0),
  states: counts,
  ...toPurposeFields(row.purpose),
})

/** What is reserved for calls in progress is not charged yet. */
export const chargesOf = (batch: Pick<Batch, 'kind' | 'spent'>, calls: number): { charged: number; open: number } => {
  const open = spendingKinds.includes(batch.kind) ? Math.min(calls, batch.spent) : 0
  return { charged: batch.spent - open, open }
}

type LineFilter = { state?: string | readonly string[]; search?: string; before?: bigint; limit: number }
type LineRow = HeadRow &
  Standing &
  Pick<Batch, 'source' | 'submittedBy' | 'spent' | 'createdAt' | 'finishedAt'> & { calls: number }

/** Newest first, a page at a time. The counts are stored, so no rows are read. */
export const listBatchLines = async (
  sql: Sql,
  { state, search, before, limit }: LineFilter,
  prices: UnitPrices | null,
): Promise<BatchLine[]> => {
  const rows = await sql<LineRow[]>`
    select b.id, b.organization_id, b.kind, b.name, b.file_name, b.purpose, b.source, b.submitted_by,
           vigia.shown_state(b) as state, ${reportedState(sql)} as shown, b.rows, b.documents_per_row, b.spent,
           b.created_at, b.finished_at, (select count(*)::int from ${onTheirWay(sql)} where l.batch_id = b.id) as calls,
           coalesce((select json_object_agg(c.state, c.rows order by c.state) from vigia.batch_count c where c.batch_id = b.id), '{}')
             as counts
      from vigia.batch b
      left join vigia.lane on lane.organization_id = b.organization_id and lane.kind = b.kind
     where ${matches(sql, state, search)}
       and (${before ?? null}::bigint is null or b.id < ${before ?? null})
     order by b.id desc
     limit ${limit}`
  return rows.map((row) => {
    const { charged, open } = chargesOf(row, row.calls)
    return {
      ...toBatchHeadView(row, row),
      ...{ charged, open, price: priceOf(prices, row.kind, charged), source: row.source, by: row.submittedBy },
      submitted: iso(row.createdAt),
      finished: iso(row.finishedAt),
    }
  })
}

/** A script that filters by `running` gets held batches too, because `state` never reads `held`. */
export const statesFor = (state: string | undefined) => (state === 'running' ? ['running', 'held'] : state)

/** The batches in these states that match a filter: those that a bulk action would change. */
export const matchingBatches = (
  sql: Sql,
  { state, search }: Pick<LineFilter, 'state' | 'search'>,
  taking: SteeringVerb,
) => sql<{ id: bigint; name: string; kind: Kind }[]>`
  select b.id, b.name, b.kind
    from vigia.batch b
    left join vigia.lane on lane.organization_id = b.organization_id and lane.kind = b.kind
   where ${matches(sql, state, search)} and ${takes(sql, taking)}
   order by b.id
   limit 1000`

/** Batches that a sweep made are not listed. */
const matches = (sql: Sql, state: LineFilter['state'], search: string | undefined) => sql`
  b.source <> 'sweep' and ${within(sql, 'b.organization_id')}
  and (${state === undefined} or ${reportedState(sql)} = any(${[state ?? []].flat()}::text[]))
  and (${search ?? null}::text is null
       or strpos(lower(b.name), lower(${search ?? null})) > 0
       or strpos(lower(b.file_name), lower(${search ?? null})) > 0
       or b.id::text = ${search ?? null})`
