import { z } from 'zod'
import { within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { iso, moment } from './fields.ts'

export const columnChoice = z.object({
  id: z.int(),
  organization: z.int(),
  headers: z.array(z.string()).describe('the choice applies to files with these headers'),
  columns: z.record(z.string(), z.string()).describe('the header of each role'),
  by: z.string(),
  chosen: moment,
})

type ColumnChoice = z.infer<typeof columnChoice>

type Row = Omit<ColumnChoice, 'id' | 'organization' | 'chosen'> & { id: bigint; organization: bigint; chosen: Date }

/** The column choices that people made, newest first. */
export const listColumnChoices = async (sql: Sql): Promise<ColumnChoice[]> => {
  const rows = await sql<Row[]>`
    select id, organization_id as organization, headers, columns, chosen_by as by, chosen_at as chosen
      from vigia.column_choice
     where ${within(sql, 'organization_id')}
     order by id desc`
  return rows.map((row) => ({
    id: Number(row.id),
    organization: Number(row.organization),
    headers: row.headers,
    columns: row.columns,
    by: row.by,
    chosen: iso(row.chosen),
  }))
}
