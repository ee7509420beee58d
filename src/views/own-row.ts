import { z } from 'zod'
import type { Sql } from '../store/connect.ts'
import { masked, shownText } from './fields.ts'

/** The cells of a row in the submitted file. Names are masked like documents, unless somebody revealed them. */
export const ownRow = z.object({
  name: masked.nullable(),
  ref: masked.nullable().describe('the cell of the column `ref`, `id`, `codigo` or `external_id`'),
  authorization: masked.nullable().describe('the cell of the column `autorizacao`'),
  cells: z.array(z.object({ column: z.string().nullable().describe('its header; null if it has none'), text: masked })),
})
export type OwnRow = z.output<typeof ownRow>

/** The name and reference that tables show beside a masked document. */
export const ownNames = ownRow.pick({ name: true, ref: true })
export type OwnNames = z.output<typeof ownNames>

/** A document, and its organization. */
export type Holder = { organizationId: bigint; document: string }

/** The position of the newest row about a document in a file. */
export type NewestRow = Holder & { fileId: bigint; layout: unknown; line: number; startAt: bigint; size: number }

/** The newest file row about each of these documents; a document that only sweeps looked up has none. */
export const newestRowsOf = (sql: Sql, holders: readonly Holder[]) => sql<NewestRow[]>`
  select h.organization_id, h.document, b.file_id, b.layout, r.line, r.start_at, r.size
    from (select distinct * from unnest(${holders.map(({ organizationId }) => organizationId)}::bigint[],
                                        ${holders.map(({ document }) => document)}::text[]) as u (organization_id, document)) as h
    join lateral (select r.batch_id, r.line, r.start_at, r.size
                    from vigia.lookup l
                    join vigia.batch_row r on r.lookup_id = l.id
                    join vigia.batch b on b.id = r.batch_id
                   where ((l.question = h.document and l.current) or (l.question = h.document and not l.current))
                     and l.organization_id = h.organization_id and b.file_id is not null and b.layout is not null
                   order by r.batch_id desc, r.line
                   limit 1) as r on true
    join vigia.batch b on b.id = r.batch_id
   order by b.file_id, r.start_at`

type Read = { columns?: { several?: { name: string }[] } } | null

/** What each document of a row is called, in the order of its parts; none where a row has one. */
export const documentColumns = ({ layout }: { layout: unknown }): string[] =>
  ((layout as Read)?.columns?.several ?? []).map(({ name }) => shownText(name))

/** The column of one of several documents of a row. */
export const columnOfPart = (batch: { layout: unknown }, part: number): string | null =>
  documentColumns(batch)[part] ?? null
