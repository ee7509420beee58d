import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Database, Sql } from './connect.ts'

/** Any number: it only has to be the same in every Vigia that shares a database. */
const LOCK = 7_182_818_284

const ownFolder = resolve(import.meta.dirname, '../../sql')

/** Brings the schema up to the files of `folder`. Any number of processes may call it at once; each file is applied by one. */
export const migrate = async (sql: Database, folder = ownFolder): Promise<{ applied: string[] }> => {
  const files = await readMigrations(folder)
  // Checked first, because no right to create a schema is needed if it is current.
  if (findMissing(files, await readKnown(sql)).length === 0) return { applied: [] }
  try {
    const applied: string[] = []
    for (let name = await applyNext(sql, files); name; name = await applyNext(sql, files)) applied.push(name)
    return { applied }
  } catch (error) {
    throw isForbidden(error) ? new MigrateRefusal(mayNotChange(error as Error)) : error
  }
}

/** One file per transaction, which also holds the lock: a pool may give the next transaction another session. */
const applyNext = (sql: Database, files: Migration[]): Promise<string | undefined> =>
  sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`
    await prepare(tx)
    const [next] = findMissing(files, await readApplied(tx))
    if (next) await apply(tx, next)
    return next?.name
  })

type SchemaStatus = {
  applied: string[]
  /** In the folder, not in the database: run `vigia migrate`. */
  missing: string[]
  /** In the database, not in the folder: this Vigia is older than the schema. */
  unknown: string[]
  /** Applied, and changed in the folder since. */
  edited: string[]
}

/** Compares the database with the files of `folder`; changes nothing. */
export const schemaStatus = async (sql: Sql, folder = ownFolder): Promise<SchemaStatus> =>
  compare(await readMigrations(folder), await readKnown(sql))

type Migration = { name: string; text: string; checksum: string }
type Applied = { name: string; checksum: string }

const readMigrations = async (folder: string): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => /^\d{3}_.+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      // A checkout on Windows may have changed the line endings, which is no edit.
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Creating them with "if not exists" needs the right to create them even if they exist. */
const prepare = async (sql: Sql): Promise<void> => {
  const [there] = await sql<{ schema: boolean; table: boolean }[]>`
    select to_regnamespace('vigia') is not null as schema, to_regclass('vigia.migration') is not null as table`
  if (!there!.schema) await sql`create schema if not exists vigia`
  if (there!.table) return
  await sql`
    create table if not exists vigia.migration (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`
}

/** Whether PostgreSQL refused because the role lacks a privilege. */
const isForbidden = (error: unknown): boolean => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code === '42501' || cause?.code === '42501'
}

const mayNotChange = ({ message }: Error): string =>
  `The schema is not current, and the role of DATABASE_URL may not change it (${message}). Run 'vigia migrate' with a role that owns the database.`

const readKnown = async (sql: Sql): Promise<Applied[]> => {
  const [found] = await sql<{ exists: boolean }[]>`select to_regclass('vigia.migration') is not null as exists`
  return found?.exists ? readApplied(sql) : []
}

const readApplied = (sql: Sql) => sql<Applied[]>`select name, checksum from vigia.migration order by name`

const findMissing = (files: Migration[], applied: Applied[]): Migration[] => {
  const { missing, unknown, edited } = compare(files, applied)
  if (unknown.length > 0) {
    throw new MigrateRefusal(
      `The database has migrations this version does not know (${unknown.join(', ')}): it was migrated by a newer Vigia. Start that version or a later one.`,
    )
  }
  if (edited.length > 0) {
    throw new MigrateRefusal(
      `sql/${edited.join(', sql/')} changed after being applied to this database. Restore the file and put the change into a new one.`,
    )
  }
  return files.filter(({ name }) => missing.includes(name))
}

const compare = (files: Migration[], applied: Applied[]): SchemaStatus => {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const known = new Set(files.map(({ name }) => name))
  return {
    applied: applied.map(({ name }) => name),
    missing: files.filter(({ name }) => !checksums.has(name)).map(({ name }) => name),
    unknown: applied.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    edited: files
      .filter((file) => (checksums.get(file.name) ?? file.checksum) !== file.checksum)
      .map(({ name }) => name),
  }
}

/** The files name their tables without the schema, so the search path contains only ours until the transaction ends. */
const apply = async (tx: Sql, { name, text, checksum }: Migration): Promise<void> => {
  await tx`set local search_path = vigia`
  await tx.unsafe(text).catch((error) => {
    throw new Error(`sql/${name} failed: ${error instanceof Error ? error.message : error}`, { cause: error })
  })
  await tx`insert into vigia.migration (name, checksum) values (${name}, ${checksum})`
}

/** The schema in the database and the files in `sql/` contradict each other; nothing was changed. */
export class MigrateRefusal extends Error {
  override readonly name = 'MigrateRefusal'
  readonly exitCode = 1
}
