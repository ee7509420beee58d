import { classifications } from '../../domain/classifications.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Sql } from '../connect.ts'
import { readCopy } from '../copy.ts'
import { ifShown, literal, resultRows } from './result-rows.ts'

type ResultFormat = {
  kind: Kind
  delimiter: string
  decimal: ',' | '.'
  timezone: string
  /** Whether the reader formats the message of a row; otherwise the cell has it in English. */
  localized: boolean
}

/** Marks the place of a message among the cells, which the reader formats. */
export const messagePlace = '\u0001'

/** The columns that a report adds on the right, by kind. */
export const resultHeaders = (kind: Kind): string[] => [
  'result_status',
  'result_detail',
  'result_charged',
  'result_document',
  'result_repair',
  'result_as_of',
  'result_id',
  ...kindColumns[kind],
]

const kindColumns: Record<Kind, string[]> = {
  analysis: [
    ...['registry_name', 'name_match', 'protest_status', 'important_terms'],
    ...classifications.flatMap((key) => [`${key}_count`, `${key}_value`]),
  ],
  cnh: ['cnh_status', 'cnh_data'],
  scr: ['scr_data'],
  processes: ['processes_total'],
  radar: ['radar_id', 'radar_active'],
  inactivation: ['process_status'],
}

/**
 * Streams the rows of a batch in the order of its file, a line each: where the row's own text is, how it ended, its message
 * if the reader formats it, the registry's name for the document, and the cells to add, already written as CSV, in two
 * parts: between them the reader writes how that name compares with the one in the row.
 *
 * PostgreSQL formats the cells, which is faster than anything done per cell here. COPY takes no parameters, so the few
 * values that vary are written into the text: an id, and values from closed sets.
 */
export const streamResults = (sql: Sql, batchId: bigint, format: ResultFormat): AsyncIterable<Buffer> =>
  readCopy(
    sql,
    `
    copy (
      select r.start_at, r.size,
             vigia.row_outcome(r, l), ${format.localized ? 'vigia.row_message(r, l)' : 'null'},
             ${comparesNames(format.kind) ? `coalesce(${ifShown('l.registry_name')}, '')` : `''`},
             case when r.reject_reason is not null
                  then ${joined(format, ['r.line', 'r.reject_reason', detailCell(format)])}
                  else ${joined(format, cellsBefore(format))} end,
             case when r.reject_reason is null then ${joined(format, cellsAfter(format))} else '' end
        ${resultRows(batchId)}
       order by r.line
    ) to stdout`,
  )

/** Whether an answer of the kind has a name of the registry to compare. */
export const comparesNames = (kind: Kind): boolean => kind === 'analysis'

/** The last of these cells, and the first of those after, are empty: the delimiters around what the reader writes. */
const cellsBefore = (format: ResultFormat): string[] =>
  comparesNames(format.kind)
    ? [...commonCells(format), ifShown(text('l.registry_name')), `''`]
    : [...commonCells(format), ...kindCells(format)]

const cellsAfter = (format: ResultFormat): string[] =>
  comparesNames(format.kind) ? [`''`, ...kindCells(format)] : [`''`]

const detailCell = ({ localized }: ResultFormat): string => {
  const detail = text('vigia.row_detail(r, l)')
  return localized
    ? `case when vigia.row_message(r, l) is not null then ${literal(messagePlace)} else ${detail} end`
    : detail
}

const commonCells = (format: ResultFormat): string[] => [
  'vigia.row_outcome(r, l)',
  detailCell(format),
  'vigia.row_charge(r, l, i)',
  'l.question',
  'r.repair',
  ifShown(`to_char(l.as_of at time zone ${literal(format.timezone)}, 'YYYY-MM-DD"T"HH24:MI:SS')`),
  ifShown(text('l.remote_id')),
]

const kindCells = (format: ResultFormat): string[] => {
  switch (format.kind) {
    case 'analysis':
      return [text('a.protest_status'), text(`array_to_string(a.important_terms, ' | ')`), figures(format)]
    case 'cnh':
      return [ifShown(text('l.seen')), 'vigia.csv_text(a.data::text)']
    case 'scr':
      return ['vigia.csv_text(a.data::text)']
    case 'processes':
      return ['a.total']
    case 'radar':
      return [text(`a.data ->> 'radarId'`), `a.data ->> 'active'`]
    case 'inactivation':
      return [text(`a.data ->> 'status'`)]
  }
}

/**
 * Twenty counts and amounts, in the file's own convention; an amount that could not be read stays the text that was sent.
 *
 * Hardly any answer has one of those, and without one all points are replaced by commas at once.
 */
const figures = (format: ResultFormat): string => {
  const local = (number: string) => (format.decimal === '.' ? number : `replace(${number}, '.', ',')`)
  const cells = (amount: (i: number) => string) =>
    joined(
      format,
      classifications.flatMap((_, i) => [`a.counts[${i + 1}]`, amount(i + 1)]),
    )
  const readable = cells((i) => `a.cents[${i}] * 0.01`)
  const mixed = cells((i) => `coalesce(${local(`(a.cents[${i}] * 0.01)::text`)}, ${text(`a.amounts[${i}]`)})`)
  return `case when a.amounts is null then ${local(readable)} else ${mixed} end`
}

/** Letters and digits need no escaping, and checking first is ten times as fast as calling the function. */
const text = (value: string): string =>
  `case when ${value} ~ '[^0-9A-Za-z]' then vigia.csv_text(${value}) else ${value} end`

/** `concat` writes a null as nothing, which is what an empty cell is. */
const joined = ({ delimiter }: ResultFormat, cells: string[]): string =>
  `concat(${cells.join(`, ${literal(delimiter)}, `)})`

/** A spreadsheet that the registry made of an analysis: its row in the file, and its address when it was read. */
export type SpreadsheetRow = {
  line: number
  organizationId: bigint
  remoteId: string
  remoteKey: string | null
  url: string
}

/** That of the full spreadsheet; without one, that of the partial one, which then is stored as it is. */
const addressOf = (sql: Sql) => sql`coalesce(a.data ->> 'spreadsheet', substr(a.partial, 3))`

/** The spreadsheets of a batch, one per look-up, in the order of the file, a page at a time. */
export const listSpreadsheets = (sql: Sql, batchId: bigint, afterLine: number, limit: number) => sql<SpreadsheetRow[]>`
  select r.line, l.organization_id as "organizationId", l.remote_id as "remoteId", l.remote_key as "remoteKey",
         ${addressOf(sql)} as url
    from vigia.batch_row r
    join vigia.lookup l on l.id = r.lookup_id
    join vigia.answer a on a.lookup_id = l.id
   where r.batch_id = ${batchId} and r.line > ${afterLine} and vigia.row_outcome(r, l) = 'ok' and l.remote_id is not null
     and ${addressOf(sql)} is not null
     and not exists (select from vigia.batch_row e
                      where e.lookup_id = r.lookup_id and e.batch_id = r.batch_id and e.line < r.line)
   order by r.line
   limit ${limit}`

/** The spreadsheet of one row, if the registry made one. */
export const findSpreadsheet = async (sql: Sql, batchId: bigint, line: number): Promise<SpreadsheetRow | null> => {
  const [row] = await sql<SpreadsheetRow[]>`
    select r.line, l.organization_id as "organizationId", l.remote_id as "remoteId", l.remote_key as "remoteKey",
           ${addressOf(sql)} as url
      from vigia.batch_row r
      join vigia.lookup l on l.id = r.lookup_id
      join vigia.answer a on a.lookup_id = l.id
     where r.batch_id = ${batchId} and r.line = ${line} and vigia.row_outcome(r, l) = 'ok' and l.remote_id is not null
       and ${addressOf(sql)} is not null`
  return row ?? null
}
