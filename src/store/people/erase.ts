import { erasedText } from '../../domain/lookup.ts'
import type { PersonSearch } from '../../domain/person-search.ts'
import { dropUnneeded } from '../batches/files.ts'
import type { Sql } from '../connect.ts'
import { isSent } from '../lookups/intents.ts'
import { hasUnknownOutcome, keepOwned } from '../lookups/lookups.ts'
import { purchaseKeys } from '../person-key.ts'
import { allValues, isAny } from '../rows.ts'

/**
 * The look-ups about a person, locked; null if one is unsettled: the answer of a paid call under way needs its look-up, and
 * one with an unknown outcome prevents a second purchase.
 */
export const lockSettledLookups = async (sql: Sql, document: string): Promise<bigint[] | null> => {
  const ids = await allValues<bigint>(sql`
    select id from vigia.lookup where question = ${document} order by id for update`)
  return (await isUnsettled(sql, ids)) ? null : ids
}

/** Whether a paid call for one of these is under way or has an unknown outcome, parked or not. */
const isUnsettled = (sql: Sql, ids: bigint[]): Promise<boolean> =>
  isAny(sql`
    select from vigia.lookup l where l.id = any(${ids}::bigint[]) and (${hasUnknownOutcome(sql)} or ${isSent(sql)}) limit 1`)

/** The batches that have rows of these look-ups. */
export const batchesOfLookups = (sql: Sql, ids: bigint[]): Promise<bigint[]> =>
  allValues(sql`select distinct batch_id as id from vigia.batch_row where lookup_id = any(${ids}::bigint[]) order by 1`)

/** Ends what is still open, so that no more data about the person arrives. */
export const endOpenLookups = (sql: Sql, ids: bigint[], now: Date): Promise<bigint[]> =>
  allValues(sql`
    update vigia.lookup
       set state = 'cancelled', finished_at = ${now}, due_at = null
     where id = any(${ids}::bigint[]) and state in ('queued', 'waiting')
    returning id`)

/**
 * Removes the person from their look-ups. Kind, dates, batch, charge and the registry's number of the purchase stay: they
 * are the accounting and identify nobody.
 */
const eraseLookups = async (sql: Sql, ids: bigint[]): Promise<void> => {
  await keepOwned(sql, ids)
  await sql`delete from vigia.answer where lookup_id = any(${ids}::bigint[])`
  await sql`update vigia.contradiction set previous_id = '' where lookup_id = any(${ids}::bigint[])`
  await sql`
    update vigia.lookup
       set question = ${erasedText} || id, document_type = null, label = null, remote_key = null, seen = null, message = null,
           trace = '{}', current = false,
           registry_name = null, estimated = null, previous_id = null
     where id = any(${ids}::bigint[])`
}

/**
 * Removes the person from the purchase ledger, for good, even if the registry's list shows them again. A keyed hash
 * replaces the document, so that a new look-up of it finds the purchase and does not buy it again.
 */
const erasePurchases = async (sql: Sql, document: string): Promise<void> => {
  const keyOf = await purchaseKeys(sql)
  await sql`
    update vigia.purchase p
       set document = '', status = null, registry_name = null, debtor_status = null, listed = null, person_key = ${keyOf(document)},
           bought_at = coalesce(p.bought_at, (select vigia.fresh_from(l) from vigia.lookup l where l.id = p.lookup_id))
     where document = ${document}`
}

/** Removes the person from all tables that name them by their document. */
export const eraseRecords = async (sql: Sql, ids: bigint[], document: string) => {
  await eraseLookups(sql, ids)
  await erasePurchases(sql, document)
  return eraseMonitoring(sql, document)
}

/** Removes the person from monitoring; the counts of a sweep stay. */
const eraseMonitoring = async (sql: Sql, document: string) => {
  /** Organizations whose radar list contained the person. As long as it does, the next sweep stores them again. */
  const monitoredBy = await allValues<bigint>(sql`
    delete from vigia.radar where document = ${document} returning organization_id`)
  await sql`delete from vigia.snapshot where document = ${document}`
  await sql`delete from vigia.change where document = ${document}`
  /** Portfolios whose list contained the person. A new list that contains them stores them again. */
  const portfolios = await allValues<string>(sql`
    with gone as (delete from vigia.portfolio_document where document = ${document} returning portfolio_id)
    select name from vigia.portfolio where id in (select portfolio_id from gone) order by lower(name)`)
  await sql`
    update vigia.suspicious_list
       set radars = (select coalesce(jsonb_agg(radar), '[]') from jsonb_array_elements(radars) as radar
                      where radar ->> 'document' <> ${document})
     where radars @> jsonb_build_array(jsonb_build_object('document', ${document}::text))`
  return { monitoredBy, portfolios }
}

/**
 * Requires the reports of these batches to be written again; one that is being written now is refused when it is done.
 * Their stored totals count the person, so they are added up again.
 * Returns the batches that have ended, because their reports must be requested.
 */
export const oweReports = async (sql: Sql, batchIds: bigint[]): Promise<bigint[]> => {
  await sql`delete from vigia.risk_total where batch_id = any(${batchIds}::bigint[])`
  const owed = await sql<{ id: bigint; isOver: boolean }[]>`
    update vigia.batch set reports_owed = reports_owed + 1, exported_at = null, manifest = null
     where id = any(${batchIds}::bigint[])
    returning id, finished_at is not null and file_id is not null and imported_at is not null as is_over`
  return owed.filter(({ isOver }) => isOver).map(({ id }) => id)
}

export const namesOfBatches = (sql: Sql, ids: bigint[]) => sql<{ id: bigint; name: string }[]>`
  select id, name from vigia.batch where id = any(${ids}::bigint[])`

/** Deletes column choices for headers that name the person. */
export const dropColumnChoices = async (sql: Sql, search: PersonSearch): Promise<void> => {
  const choices = await sql<{ id: bigint; headers: string[] }[]>`select id, headers from vigia.column_choice`
  const about = choices.filter(({ headers }) => headers.some(search.isIn)).map(({ id }) => id)
  await sql`delete from vigia.column_choice where id = any(${about}::bigint[])`
}

type StoredLayout = { fileId: bigint; layout: unknown; batchIds: bigint[] }

/** Every stored file with its encoding and layout, and the batches that were made from it. */
export const storedLayouts = (sql: Sql) => sql<StoredLayout[]>`
  select file_id, (array_agg(layout order by id))[1] as layout, array_agg(id order by id) as batch_ids
    from vigia.batch
   where file_id is not null and layout is not null
   group by file_id
   order by file_id`

/** Every stored workbook, and the batches that were made from it. */
export const storedWorkbooks = (sql: Sql) => sql<{ fileId: bigint; batchIds: bigint[] }[]>`
  select workbook_id as file_id, array_agg(id order by id) as batch_ids
    from vigia.batch
   where workbook_id is not null
   group by workbook_id
   order by workbook_id`

/** Every file that waits on the page, except those that belong to a batch and are found there. */
export const storedUploads = (sql: Sql) => sql<{ fileId: bigint; batchIds: bigint[] }[]>`
  select distinct u.file_id, '{}'::bigint[] as batch_ids
    from vigia.upload u
   where u.file_id is not null and not exists (select from vigia.batch b
                      where b.workbook_id = u.file_id or (b.file_id = u.file_id and b.layout is not null))
   order by 1`

/** Deletes these workbooks and those of these batches. The batches keep the text that was read from them, and need no more. */
export const dropWorkbooks = async (sql: Sql, ids: bigint[], batchIds: bigint[]): Promise<bigint[]> => {
  const touched = await sql<{ id: bigint; workbookId: bigint }[]>`
    with held as (select id, workbook_id from vigia.batch
                   where workbook_id = any(${ids}::bigint[]) or id = any(${batchIds}::bigint[]) and workbook_id is not null)
    update vigia.batch b set workbook_id = null
      from held where b.id = held.id
    returning b.id, held.workbook_id`
  for (const { workbookId } of touched) await dropUnneeded(sql, workbookId)
  return touched.map(({ id }) => id)
}

/**
 * Vacuums these tables, so that new rows overwrite the erased ones. Outside any transaction, and only if this user owns the
 * table.
 */
export const vacuumErased = (sql: Sql, scrubbed: { schema: string; table: string }[]) => {
  const tables = new Set([...erasedTables, ...scrubbed.map(({ schema, table }) => `"${schema}"."${table}"`)])
  return sql.unsafe(`vacuum ${[...tables].join(', ')}`)
}

const erasedTables = [
  'lookup',
  'answer',
  'contradiction',
  'risk_total',
  'purchase',
  'batch',
  'file',
  'file_part',
  'upload',
  'column_choice',
  'radar',
  'snapshot',
  'change',
  'portfolio_document',
  'suspicious_list',
  'audit',
].map((table) => `"vigia"."${table}"`)
