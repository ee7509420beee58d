import type { BatchState } from '../domain/batch.ts'
import type { Kind } from '../domain/kind.ts'
import { stopsBatch } from '../store/batches/standing.ts'
import type { Sql } from '../store/connect.ts'

/** A batch as a line of a list: with its counts, and paused or held where it is. */
export type BatchLine = {
  id: bigint
  organizationId: bigint
  kind: Kind
  name: string
  fileName: string | null
  submittedBy: string | null
  state: BatchState | 'paused' | 'held'
  rows: number
  spent: number
  maxSpend: number | null
  toBePaid: number
  createdAt: Date
  counts: Record<string, number>
}

type LineFilter = { state?: string | readonly string[]; search?: string; before?: bigint; limit: number }

/** Newest first, a page at a time. The counts are kept, so no row is looked at. */
export const listBatchLines = (sql: Sql, { state, search, before, limit }: LineFilter) => sql<BatchLine[]>`
  select b.id, b.organization_id as "organizationId", b.kind, b.name, b.file_name as "fileName",
         b.submitted_by as "submittedBy", ${shownState(sql)} as state, b.rows, b.spent, b.max_spend as "maxSpend",
         b.to_be_paid as "toBePaid", b.created_at as "createdAt",
         coalesce((select jsonb_object_agg(c.state, c.rows) from batch_count c where c.batch_id = b.id), '{}') as counts
    from batch b
    left join lane on lane.organization_id = b.organization_id and lane.kind = b.kind
   where ${matches(sql, state, search)}
     and (${before ?? null}::bigint is null or b.id < ${before ?? null})
   order by b.id desc
   limit ${limit}`

/** The batches in one of these states that match a filter: what an action on all of them would touch. */
export const matchingBatches = (
  sql: Sql,
  { state, search }: Pick<LineFilter, 'state' | 'search'>,
  states: string[],
) => sql<{ id: bigint; name: string; kind: Kind }[]>`
  select b.id, b.name, b.kind
    from batch b
    left join lane on lane.organization_id = b.organization_id and lane.kind = b.kind
   where ${matches(sql, state, search)} and ${shownState(sql)} = any(${states}::text[])
   order by b.id
   limit 1000`

/** A batch that a held lane stops does not run, whatever its row says. */
const shownState = (sql: Sql) => sql`
  case when ${stopsBatch(sql)} then 'held' else shown_state(b) end`

/** A sweep's own batches are its own business. */
const matches = (sql: Sql, state: LineFilter['state'], search: string | undefined) => sql`
  b.source <> 'sweep'
  and (${state === undefined} or ${shownState(sql)} = any(${[state ?? []].flat()}::text[]))
  and (${search ?? null}::text is null
       or strpos(lower(b.name), lower(${search ?? null})) > 0
       or strpos(lower(b.file_name), lower(${search ?? null})) > 0
       or b.id::text = ${search ?? null})`
