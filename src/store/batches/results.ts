import type { Kind } from '../../domain/kind.ts'
import type { Sql } from '../connect.ts'
import { readCopy } from '../copy.ts'
import { firstRow, firstValue } from '../rows.ts'

/**
 * What a row of a report is made of: its place in the file, what became of it, and the answer that it shows. Of several
 * documents each has a row.
 */
const rowFields = {
  line: 'r.line',
  start: 'r.start_at',
  size: 'r.size',
  part: 'r.part',
  /** If none of its documents can be asked: `reason` for the first that is not missing, `beside` for the others. */
  rejection: '$rejection',
  state: 'vigia.row_outcome(r, l)',
  charge: 'vigia.row_charge(r, l, i)',
  repair: 'r.repair',
  rejectReason: 'r.reject_reason',
  message: 'vigia.row_message(r, l)',
  question: 'l.question',
  asOf: `case when vigia.shows_answer(r) then to_char(l.as_of at time zone $timezone, 'YYYY-MM-DD"T"HH24:MI:SS') end`,
  remoteId: 'case when vigia.shows_answer(r) then l.remote_id end',
}

/** As text, figures cost half as much as when PostgreSQL formats each of them; an array as such costs as much. */
const answerFields = {
  analysis: {
    registryName: 'case when vigia.shows_answer(r) then l.registry_name end',
    protestStatus: 'a.protest_status',
    debtorStatus: 'a.debtor_status',
    importantTerms: `array_to_string(a.important_terms, ' | ')`,
    counts: `array_to_string(a.counts, ',', '')`,
    cents: `array_to_string(a.cents, ',', '')`,
    amounts: 'array_to_json(a.amounts)',
  },
  cnh: { seen: 'case when vigia.shows_answer(r) then l.seen end', data: 'a.data' },
  scr: { data: 'a.data' },
  processes: { total: 'a.total' },
  radar: { radarId: `a.data ->> 'radarId'`, radarActive: `a.data ->> 'active'` },
  inactivation: { processStatus: `a.data ->> 'status'` },
} as const satisfies Record<Kind, Record<string, string>>

type KeysOf<T> = T extends unknown ? keyof T : never
export type ResultField = keyof typeof rowFields | KeysOf<(typeof answerFields)[Kind]>

/** The fields of a row in the order in which they are sent. */
export const resultFields = (kind: Kind): ResultField[] =>
  [...Object.keys(rowFields), ...Object.keys(answerFields[kind])] as ResultField[]

type Wanted = { kind: Kind; documentsPerRow: number; timezone: string; rejected?: boolean }

/**
 * Streams the rows of a batch in the order of its file, or only the rejected ones, in the text format of COPY.
 *
 * Each slice is a statement of its own: one that lasts as long as the stream would keep PostgreSQL from removing dead rows
 * of every table. A row is as it was when its slice began; no row is in two slices, and none is missing.
 */
export async function* streamResults(sql: Sql, batchId: bigint, wanted: Wanted): AsyncGenerator<Buffer> {
  const last = await lastLine(sql, batchId)
  for (let after = 0; after < last; after += linesOfSlice) yield* readCopy(sql, slice(batchId, after, wanted))
}

/** The last line of its file that a batch has a row of; 0 if it has no rows. */
export const lastLine = (sql: Sql, batchId: bigint): Promise<number> =>
  firstValue(sql`select coalesce(max(line), 0) as line from vigia.batch_row where batch_id = ${batchId}`)

/** Few enough that PostgreSQL finds their look-ups by index and sorts nothing on disk. */
export const linesOfSlice = 5_000

/** COPY takes no parameters, so the few values that vary are written into the text: numbers, and values from closed sets. */
const slice = (batchId: bigint, after: number, { kind, documentsPerRow, timezone, rejected }: Wanted): string => `
  copy (
    select ${Object.values({ ...rowFields, ...answerFields[kind] })
      .join(', ')
      .replace('$timezone', () => literal(timezone))
      .replace('$rejection', rejectionIn(documentsPerRow))}
      from vigia.batch_row r
      left join vigia.lookup l on l.id = r.lookup_id
      left join vigia.intent i on i.lookup_id = l.id
      left join vigia.answer a on a.lookup_id = l.id and vigia.shows_answer(r)
     where r.batch_id = ${batchId} and r.line > ${after} and r.line <= ${after + linesOfSlice}
           ${rejected ? 'and r.reject_reason is not null' : ''}
     order by r.line, r.part
  ) to stdout`

const rejectionIn = (documentsPerRow: number): string =>
  documentsPerRow === 1
    ? `case when r.reject_reason is not null then 'reason' end`
    : `case when count(r.reject_reason) over (partition by r.line) = ${documentsPerRow}
            then case row_number() over (partition by r.line order by r.reject_reason = 'empty', r.part)
                      when 1 then 'reason' else 'beside' end end`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A spreadsheet that the registry made of an analysis: its row in the file, and its address when it was read. */
export type SpreadsheetRow = {
  line: number
  part: number
  organizationId: bigint
  remoteId: string
  remoteKey: string | null
  url: string
}

/** That of the full spreadsheet; without one, that of the partial one, which then is stored as it is. */
const addressOf = (sql: Sql) => sql`coalesce(a.data ->> 'spreadsheet', substr(a.partial, 3))`

/** Rows with a spreadsheet as `r`; the caller adds conditions. */
const selectSpreadsheets = (sql: Sql, batchId: bigint) => sql`
  select r.line, r.part, l.organization_id, l.remote_id, l.remote_key, ${addressOf(sql)} as url
    from vigia.batch_row r
    join vigia.lookup l on l.id = r.lookup_id
    join vigia.answer a on a.lookup_id = l.id
   where r.batch_id = ${batchId} and vigia.row_outcome(r, l) = 'ok' and l.remote_id is not null
     and ${addressOf(sql)} is not null`

type RowPlace = { line: number; part: number }

/** The spreadsheets of a batch, one per look-up, in the order of the file, a page at a time. */
export const listSpreadsheets = (sql: Sql, batchId: bigint, after: RowPlace, limit: number) => sql<SpreadsheetRow[]>`
  ${selectSpreadsheets(sql, batchId)} and (r.line, r.part) > (${after.line}, ${after.part})
     and not exists (select from vigia.batch_row e
                      where e.lookup_id = r.lookup_id and e.batch_id = r.batch_id
                        and (e.line, e.part) < (r.line, r.part))
   order by r.line, r.part
   limit ${limit}`

/** The spreadsheet of one row, if the registry made one. */
export const findSpreadsheet = (sql: Sql, batchId: bigint, { line, part }: RowPlace): Promise<SpreadsheetRow | null> =>
  firstRow(sql`${selectSpreadsheets(sql, batchId)} and r.line = ${line} and r.part = ${part}`)
