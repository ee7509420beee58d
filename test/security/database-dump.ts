import type { Database } from '../../src/store/connect.ts'

export type DumpedColumn = { column: string; texts: string[] }

/** Every column of every table of the database as text, ours, the queue's and all others. */
export async function* dumpDatabase(sql: Database): AsyncGenerator<DumpedColumn> {
  const columns = await sql<{ schema: string; table: string; column: string; type: string }[]>`
    select c.table_schema as schema, c.table_name as table, c.column_name as column, c.data_type as type
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
     order by 1, 2, c.ordinal_position`
  for (const { schema, table, column, type } of columns) {
    const text = type === 'bytea' ? sql`encode(${sql(column)}, 'escape')` : sql`${sql(column)}::text`
    const rows = await sql<{ text: string | null }[]>`select ${text} as text from ${sql(schema)}.${sql(table)}`
    yield { column: `${schema}.${table}.${column}`, texts: rows.flatMap((row) => row.text ?? []) }
  }
}
