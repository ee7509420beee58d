import { z } from 'zod'
import { within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { moment, toJson } from './fields.ts'

export const columnChoice = z.object({
  id: z.int(),
  organization: z.int(),
  headers: z.array(z.string()).describe('the choice applies to files with these headers'),
  columns: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .describe('the header of each role; a list for several columns of documents'),
  by: z.string(),
  chosen: moment,
})

/** The column choices that people made, newest first. */
export const listColumnChoices = async (sql: Sql): Promise<z.output<typeof columnChoice>[]> =>
  toJson(
    await sql`
    select id, organization_id as organization, headers, columns, chosen_by as by, chosen_at as chosen
      from vigia.column_choice
     where ${within(sql, 'organization_id')}
     order by id desc`,
  )
