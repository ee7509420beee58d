import { z } from 'zod'
import { within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { isParked } from '../store/lookups/parked-rows.ts'
import { bigId, kind, masked, maskedDocument, message, moment, type RowOf, toView } from './fields.ts'
import { columnOfPart, type OwnNames, ownNames } from './own-row.ts'

const candidate = z.object({
  id: z.string(),
  dated: z.string().nullable(),
  status: z.string().nullable(),
  deleted: z.boolean(),
  owner: bigId.nullable().describe('the look-up that owns it; null: it can be adopted'),
})
export type CandidateShown = z.output<typeof candidate>

const column = masked.nullable().describe('which document of the row it is; null where a row has one')
const detail = message.nullable().describe('documents in it are masked')

const parked = z.object({
  lookup: bigId,
  organization: bigId,
  kind,
  document: maskedDocument,
  batch: bigId.nullable(),
  line: z.int().nullable(),
  name: masked.nullable(),
  sentAt: moment.nullable(),
  detail,
})

/** A purchase with an unknown outcome, of a file or of a sweep, with the listed purchases of its document. */
export const parkedShown = parked.extend({
  file: ownNames.nullable().describe('name and reference of the row in its file; null for a sweep'),
  column,
  candidates: z.array(candidate),
})
export type ParkedShown = z.output<typeof parkedShown>

/** One as it was stored; `startAt` and `size` say where the row's own text is, `layout` how to read it. */
export type Parked = RowOf<typeof parked> & {
  part: number | null
  startAt: bigint | null
  size: number | null
  fileId: bigint | null
  layout: unknown
}

/** Every purchase with an unknown outcome, of files and of sweeps, oldest first. */
export const listAllParked = (sql: Sql, limit: number) => sql<Parked[]>`
  select l.id as lookup, l.organization_id as organization, l.kind, l.question as document, l.sending_at as sent_at,
         l.message as detail, r.batch_id as batch, r.line, r.part, coalesce(b.name, payer.name) as name, r.start_at, r.size,
         b.file_id, b.layout
    from vigia.lookup l
    left join lateral (select r.batch_id, r.line, r.part, r.start_at, r.size from vigia.batch_row r
                        where r.lookup_id = l.id and ${isParked(sql)}
                        order by r.batch_id, r.line, r.part
                        limit 1) r on true
    left join vigia.batch b on b.id = r.batch_id
    left join vigia.batch payer on payer.id = l.batch_id
   where l.state = 'unknown_outcome' and ${within(sql, 'l.organization_id')}
   order by l.id
   limit ${limit}`

/** What the registry lists for the documents of these look-ups, by look-up. */
export const readCandidates = async (sql: Sql, lookupIds: bigint[]): Promise<Map<bigint, CandidateShown[]>> => {
  const found = await sql<(RowOf<typeof candidate> & { lookupId: bigint })[]>`
    select l.id as lookup_id, p.remote_id as id, p.dated, p.status, p.deleted, coalesce(p.lookup_id, o.id) as owner
      from vigia.lookup l
      join vigia.purchase p on p.document = l.question and p.kind = l.kind and p.organization_id = l.organization_id
      left join vigia.lookup o on vigia.owns(o, p)
     where l.id = any(${lookupIds}::bigint[])
     order by l.id, p.dated_from desc nulls last, p.remote_id desc`
  const byLookup = Map.groupBy(found, ({ lookupId }) => lookupId)
  return new Map([...byLookup].map(([id, listed]) => [id, listed.map((each) => toView(candidate, each))]))
}

export const toParkedView = (
  each: Parked,
  { candidates, own }: { candidates: CandidateShown[]; own: OwnNames | null },
): ParkedShown => ({
  ...toView(parked, each),
  file: own && { name: own.name, ref: own.ref },
  column: each.part === null ? null : columnOfPart(each, each.part),
  candidates,
})

const row = z.object({ line: z.int(), document: maskedDocument, sent: moment.nullable(), detail })

/** A parked row of one batch. */
export const parkedRow = row.extend({ column })
export type ParkedRow = z.output<typeof parkedRow>

/** The parked documents of a batch, each once, in the order of the file. */
export const readParkedRows = async (
  sql: Sql,
  batchId: bigint,
  columns: readonly string[],
  limit: number,
): Promise<ParkedRow[]> => {
  const rows = await sql<(RowOf<typeof row> & { part: number })[]>`
    select line, part, question as document, sending_at as sent, message as detail
      from (select distinct on (l.id) r.line, r.part, l.question, l.sending_at, l.message
              from vigia.batch_row r
              join vigia.lookup l on l.id = r.lookup_id
             where r.batch_id = ${batchId} and ${isParked(sql)}
             order by l.id, r.line, r.part) as parked
     order by line, part
     limit ${limit}`
  return rows.map((each) => ({ ...toView(row, each), column: columns[each.part] ?? null }))
}
