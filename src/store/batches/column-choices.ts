import type { Sql } from '../connect.ts'
import { firstValue, isAny } from '../rows.ts'

/** The header of each role; several headers of one as a list. */
type StoredNames = Record<string, string | readonly string[]>

type StoredChoice = { id: bigint; key: string; columns: StoredNames }

/** What people of an organization chose for the columns of their files. */
export const readColumnChoices = (sql: Sql, organizationId: number) => sql<StoredChoice[]>`
  select id, header_key as key, columns from vigia.column_choice where organization_id = ${organizationId} order by id`

type NewChoice = {
  organizationId: number
  headers: string[]
  key: string
  columns: StoredNames
  by: string
  now: Date
}

/** Saves a choice; another choice for the same headers is replaced. Null if nothing changed. */
export const saveColumnChoice = (sql: Sql, choice: NewChoice): Promise<bigint | null> =>
  firstValue(sql`
    insert into vigia.column_choice as c (organization_id, headers, header_key, columns, chosen_by, chosen_at)
    values (${choice.organizationId}, ${choice.headers}, ${choice.key}, ${sql.json(choice.columns as never)}, ${choice.by}, ${choice.now})
        on conflict (organization_id, header_key) do update
       set headers = excluded.headers, columns = excluded.columns, chosen_by = excluded.chosen_by,
           chosen_at = excluded.chosen_at
     where c.columns <> excluded.columns
    returning id`)

export const dropColumnChoice = (sql: Sql, id: bigint): Promise<boolean> =>
  isAny(sql`delete from vigia.column_choice where id = ${id}`)
