import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import type { Database } from '../../src/store/connect.ts'

/** Every place in the database and under the home that holds one of these texts: each column of each table, each file. */
export const tracesOf = async (sql: Database, home: string, texts: string[]): Promise<string[]> => [
  ...(await inTables(sql, texts)),
  ...(await inStoredFiles(sql, texts)),
  ...(await inFiles(home, texts)),
]

const inTables = async (sql: Database, texts: string[]): Promise<string[]> => {
  const columns = await sql<{ schema: string; table: string; column: string }[]>`
    select table_schema as schema, table_name as table, column_name as column
      from information_schema.columns
     where table_schema in ('vigia', 'pgboss')`
  const found: string[] = []
  for (const { schema, table, column } of columns) {
    const rows = await sql`
      select from ${sql(schema)}.${sql(table)}
       where exists (select from unnest(${texts}::text[]) as t (text) where strpos(${sql(column)}::text, t.text) > 0)`
    if (rows.length > 0) found.push(`${schema}.${table}.${column}`)
  }
  return found
}

const inStoredFiles = async (sql: Database, texts: string[]): Promise<string[]> => {
  const parts = await sql<
    { bytes: Buffer; part: string }[]
  >`select bytes, file_id || '/' || part as part from vigia.file_part`
  return parts.filter(({ bytes }) => holds(zstdDecompressSync(bytes), texts)).map(({ part }) => `file_part ${part}`)
}

const inFiles = async (home: string, texts: string[]): Promise<string[]> => {
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (texts.some((text) => path.includes(text))) found.push(path)
    if (entry.isFile() && holds(await readIfThere(path), texts)) found.push(path)
  }
  return found
}

// A worker that runs meanwhile writes files under a temporary name, which is gone a moment later.
const readIfThere = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })

const holds = (bytes: Buffer, texts: string[]): boolean =>
  texts.some((text) => bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le')))
