import { erasedMark } from '../../domain/lookup.ts'
import { dropUnneeded } from '../batches/files.ts'
import type { Sql } from '../connect.ts'
import { isSent } from '../lookups/intents.ts'
import { isInDoubt, keepOwned } from '../lookups/lookups.ts'

/** The look-ups about a person, locked. */
export const lockLookupsAbout = async (sql: Sql, document: string): Promise<bigint[]> => {
  const rows = await sql<
    { id: bigint }[]
  >`select id from vigia.lookup where question = ${document} order by id for update`
  return rows.map(({ id }) => id)
}

/** Whether a paid call for one of these is on its way, in doubt, or waits for a person to settle it. */
export const isUnsettled = async (sql: Sql, ids: bigint[]): Promise<boolean> => {
  const unsettled = await sql`
    select from vigia.lookup l where l.id = any(${ids}::bigint[]) and (${isInDoubt(sql)} or ${isSent(sql)}) limit 1`
  return unsettled.length > 0
}

/** The batches that have rows of these look-ups. */
export const batchesOfLookups = async (sql: Sql, ids: bigint[]): Promise<bigint[]> => {
  const rows = await sql<{ id: bigint }[]>`
    select distinct batch_id as id from vigia.batch_row where lookup_id = any(${ids}::bigint[]) order by 1`
  return rows.map(({ id }) => id)
}

/** Ends what is still open, so that nothing about the person comes in any more. */
export const endOpenLookups = (sql: Sql, ids: bigint[], now: Date) => sql<{ id: bigint }[]>`
  update vigia.lookup
     set state = 'cancelled', finished_at = ${now}, due_at = null
   where id = any(${ids}::bigint[]) and state in ('queued', 'waiting')
  returning id`

/**
 * Takes the person out of their look-ups. Kind, dates, batch, charge and the registry's number of the purchase stay:
 * they are the accounting, and tell nobody who it was.
 */
export const eraseLookups = async (sql: Sql, ids: bigint[]): Promise<void> => {
  await sql`delete from vigia.answer where lookup_id = any(${ids}::bigint[])`
  await sql`
    update vigia.lookup
       set question = ${erasedMark} || id, document_type = null, label = null, remote_key = null, seen = null, detail = null, said = null,
           trace = '{}', current = false
     where id = any(${ids}::bigint[])`
  await keepOwned(sql, ids)
}

/** Takes the person out of the books; the registry's list may show them again, and they stay out. */
export const erasePurchases = (sql: Sql, document: string) => sql`
  update vigia.purchase set document = '', remote_key = null, status = null where document = ${document}`

/** Takes the person out of monitoring; what a sweep counted stays counted. */
export const eraseMonitoring = async (
  sql: Sql,
  document: string,
): Promise<{ monitoredBy: bigint[]; portfolios: string[] }> => {
  const radars = await sql<{ organizationId: bigint }[]>`
    delete from vigia.radar where document = ${document} returning organization_id as "organizationId"`
  await sql`delete from vigia.snapshot where document = ${document}`
  await sql`delete from vigia.change where document = ${document}`
  const portfolios = await sql<{ name: string }[]>`
    with gone as (delete from vigia.portfolio_document where document = ${document} returning portfolio_id)
    select name from vigia.portfolio where id in (select portfolio_id from gone) order by lower(name)`
  await sql`
    update vigia.suspicious_list
       set radars = (select coalesce(jsonb_agg(radar), '[]') from jsonb_array_elements(radars) as radar
                      where radar ->> 'document' <> ${document})
     where radars @> jsonb_build_array(jsonb_build_object('document', ${document}::text))`
  return {
    monitoredBy: radars.map(({ organizationId }) => organizationId),
    portfolios: portfolios.map(({ name }) => name),
  }
}

/** Their reports are to be written anew. */
export const oweReports = (sql: Sql, batchIds: bigint[]) => sql<{ id: bigint }[]>`
  update vigia.batch set exported_at = null, manifest = null
   where id = any(${batchIds}::bigint[]) and finished_at is not null and file_id is not null and state <> 'rejected'
  returning id`

type Column = { schema: string; table: string; column: string; type: string }

/**
 * Replaces these texts wherever else they stand: in any text or JSON column of these schemas.
 *
 * It reads every table, which is slow and meant to be: what nobody thought of is what would be left behind.
 */
export const scrubTexts = async (sql: Sql, texts: string[], schemas: string[]): Promise<number> => {
  const columns = await textColumns(sql, schemas)
  let scrubbed = 0
  for (const { schema, table, column, type } of columns) {
    const name = sql(column)
    const cleaned = texts.reduce((inner, text) => sql`replace(${inner}, ${text}, 'erased')`, sql`${name}::text`)
    const cast = sql.unsafe(type)
    const rows = await sql`
      update ${sql(schema)}.${sql(table)} set ${name} = (${cleaned})::${cast}
       where ${holdsAny(sql, column, texts)}`
    scrubbed += rows.count
  }
  return scrubbed
}

/** A column that holds one of these texts, and in how many rows. */
type TextPlace = { table: string; column: string; rows: number }

/** Every column of these schemas that `scrubTexts` would change, and in how many rows. */
export const findTexts = async (sql: Sql, texts: string[], schemas: string[]): Promise<TextPlace[]> => {
  const found: TextPlace[] = []
  for (const { schema, table, column } of await textColumns(sql, schemas)) {
    const [row] = await sql<{ rows: number }[]>`
      select count(*)::int as rows from ${sql(schema)}.${sql(table)} where ${holdsAny(sql, column, texts)}`
    if (row!.rows > 0) found.push({ table, column, rows: row!.rows })
  }
  return found
}

const holdsAny = (sql: Sql, column: string, texts: string[]) =>
  texts.reduce((inner, text) => sql`${inner} or strpos(${sql(column)}::text, ${text}) > 0`, sql`false`)

const textColumns = (sql: Sql, schemas: string[]) => sql<Column[]>`
    select n.nspname as schema, c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname = any(${schemas}::text[]) and c.relkind in ('r', 'p') and not c.relispartition and a.attgenerated = ''
       and format_type(a.atttypid, null) in ('text', 'jsonb', 'json', 'text[]', 'character varying')`
type StoredLayout = { fileId: bigint; layout: unknown; batchIds: bigint[] }

/** Every stored file with how it is written, and the batches that were made of it. */
export const storedLayouts = (sql: Sql) => sql<StoredLayout[]>`
  select file_id as "fileId", (array_agg(layout order by id))[1] as layout, array_agg(id order by id) as "batchIds"
    from vigia.batch
   where file_id is not null and layout is not null
   group by file_id
   order by file_id`

/** Every stored workbook, and the batches that were made of it. */
export const storedWorkbooks = (sql: Sql) => sql<{ fileId: bigint; batchIds: bigint[] }[]>`
  select workbook_id as "fileId", array_agg(id order by id) as "batchIds"
    from vigia.batch
   where workbook_id is not null
   group by workbook_id
   order by workbook_id`

/** Every file that waits on the page, but for those that are a batch's too and are found as such. */
export const storedUploads = (sql: Sql) => sql<{ fileId: bigint }[]>`
  select distinct u.file_id as "fileId"
    from vigia.upload u
   where not exists (select from vigia.batch b
                      where b.workbook_id = u.file_id or (b.file_id = u.file_id and b.layout is not null))
   order by 1`

/** Batches keep the text that was read from a workbook, and go on without it. */
export const dropWorkbooks = async (sql: Sql, ids: bigint[]): Promise<bigint[]> => {
  const touched = await sql<{ id: bigint }[]>`
    update vigia.batch set workbook_id = null where workbook_id = any(${ids}::bigint[]) returning id`
  for (const id of ids) await dropUnneeded(sql, id)
  return touched.map(({ id }) => id)
}
