import { z } from 'zod'
import type { Sql } from '../store/connect.ts'
import { masked } from './fields.ts'

/** What a person's own file says about a row. Names are masked as documents are, except where somebody asked to see them. */
export const ownRow = z.object({
  name: masked.nullable(),
  ref: masked.nullable().describe('the column that the file calls `ref`, `id`, `codigo` or `external_id`'),
  cells: z.array(z.object({ column: z.string().nullable().describe('its header, where there is one'), text: masked })),
})
export type OwnRow = z.output<typeof ownRow>

/** What the tables show of it, beside a masked document. */
export const ownNames = ownRow.pick({ name: true, ref: true })
export type OwnNames = z.output<typeof ownNames>

/** Whose document. */
export type Holder = { organizationId: bigint; document: string }

/** Where the newest row of a file about a document stands. */
export type NewestRow = Holder & { fileId: bigint; layout: unknown; line: number; startAt: bigint; size: number }

/** The newest row of a file for each of these documents; one that only sweeps asked about has none. */
export const newestRowsOf = (sql: Sql, holders: readonly Holder[]) => sql<NewestRow[]>`
  select h.organization_id as "organizationId", h.document, b.file_id as "fileId", b.layout, r.line,
         r.start_at as "startAt", r.size
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
