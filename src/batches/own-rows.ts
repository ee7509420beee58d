import { maskCell, maskDocuments, maskName } from '../domain/mask-documents.ts'
import { compareNames, type NameComparison, type NameMatch } from '../domain/name-match.ts'
import { documentPlaces, nameColumn } from '../files/columns/find-columns.ts'
import { roleOf } from '../files/columns/roles.ts'
import { splitRecord } from '../files/csv/split-record.ts'
import type { Batch } from '../store/batches/batches.ts'
import { lastLine } from '../store/batches/results.ts'
import type { Sql } from '../store/connect.ts'
import { type AnswerRow, readAnswer } from '../views/answer.ts'
import {
  documentColumns,
  type Holder,
  type NewestRow,
  newestRowsOf,
  type OwnNames,
  type OwnRow,
} from '../views/own-row.ts'
import {
  type LookupHistoryView,
  type RowFilter,
  type RowHistory,
  type RowLine,
  type RowRecord,
  readBatchRow,
  readRows,
  readTrace,
  toLookupHistoryView,
  toRowHistoryView,
} from '../views/row.ts'
import { BatchRefusal, batchOrRefuse, partOrRefuse } from './batch-or-refuse.ts'
import { type Layout, layoutOf } from './layout.ts'
import { readRowTexts } from './stored-file.ts'

type Row = { line: number; startAt: bigint; size: number }
type Source = Pick<Batch, 'fileId' | 'layout'>

/** The cells of some rows in the person's own file, by line; empty for a batch without a file. */
export const readOwnRows = async (
  sql: Sql,
  batch: Source,
  rows: readonly Row[],
  revealed = false,
): Promise<Map<number, OwnRow>> => {
  const layout = layoutOf(batch) as Layout | null
  if (!batch.fileId || !layout) return new Map()
  const short = rows.filter(({ size }) => size <= longestRow)
  const places = short.map(({ startAt, size }) => ({ start: Number(startAt), end: Number(startAt) + size }))
  const [head, ...texts] = await readRowTexts(sql, batch.fileId, layout.dialect, [layout.header ?? nothing, ...places])
  const header = layout.header ? splitRecord(head!, layout.dialect) : []
  return new Map(
    short.map(({ line }, i) => [line, ownRow(splitRecord(texts[i]!, layout.dialect), header, layout, revealed)]),
  )
}

const nothing = { start: 0, end: 0 }
const longestRow = 64 * 1024

const ownRow = (cells: string[], header: string[], { columns }: Layout, revealed: boolean): OwnRow => {
  const own = cells.slice(0, columns.width)
  const documents = documentPlaces(columns)
  const shown = own.map((cell, at) => {
    if (revealed) return cell.trim()
    if (documents.includes(at) || namesDocuments(header[at] ?? '')) return maskCell(cell.trim())
    return at === columns.name ? maskName(maskDocuments(cell)) : maskDocuments(cell.trim())
  })
  const at = (index: number | undefined) => (index === undefined ? null : shown[index] || null)
  return {
    name: at(nameColumn(columns)),
    ref: at(columns.ref),
    authorization: at(columns.authorization),
    cells: shown.map((text, i) => ({ column: maskDocuments(header[i]?.trim() ?? '') || null, text })),
  }
}

const namesDocuments = (header: string): boolean => ['documento', 'cpf', 'cnpj'].includes(roleOf(header)?.role ?? '')

type AnsweredRow = Row & { answer: AnswerRow | null }

/** How the name in each row compares with that of the registry, by line; rows without one of them are left out. */
const readNameMatches = async (
  sql: Sql,
  batch: Source,
  rows: readonly AnsweredRow[],
): Promise<Map<number, NameComparison>> => {
  const named = rows.filter(({ answer }) => answer?.name)
  const own = named.length > 0 ? await readOwnRows(sql, batch, named, true) : new Map()
  return new Map(
    named.flatMap(({ line, answer }) => {
      const found = compareNames(own.get(line)?.name ?? '', answer!.name!)
      return found ? [[line, found] as const] : []
    }),
  )
}

/** Of some rows, those whose name compares so. */
export const keepNames =
  (sql: Sql, batch: Source, match: NameMatch) =>
  async <R extends AnsweredRow>(rows: R[]): Promise<R[]> => {
    const matches = await readNameMatches(sql, batch, rows)
    return rows.filter(({ line }) => matches.get(line)?.match === match)
  }

/** Finds what people's own files call a document. */
export type FindOwnNames = (holder: Holder) => OwnNames | null

/**
 * The name and the reference of each document in the newest file about it.
 *
 * Rows are read in groups, in the order of their file: a million rows are spread over as many parts of it.
 */
export const readOwnNames = async (sql: Sql, holders: readonly Holder[], revealed = false): Promise<FindOwnNames> => {
  const found = new Map<string, OwnNames>()
  for (const rows of Map.groupBy(await newestRowsOf(sql, holders), ({ fileId }) => fileId).values()) {
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const some = rows.slice(at, at + rowsAtOnce)
      const own = await readOwnRows(sql, some[0]!, some, revealed)
      for (const row of some) {
        const { name = null, ref = null } = own.get(row.line) ?? {}
        if (name || ref) found.set(keyOf(row), { name, ref })
      }
    }
  }
  return (holder) => found.get(keyOf(holder)) ?? null
}

const rowsAtOnce = 20

const keyOf = ({ organizationId, document }: Holder | NewestRow): string => `${organizationId} ${document}`

/** A row of a batch, or one of its documents by its column; without one the first. */
export type WantedRow = { line: number; column?: string | undefined }

/** `revealed`: with the names and documents of the file unmasked. */
export const readRowRecord = async (
  sql: Sql,
  batch: Pick<Batch, 'id' | 'fileId' | 'layout'>,
  { line, column }: WantedRow,
  revealed = false,
): Promise<RowRecord | null> => {
  const row = await readBatchRow(sql, batch.id, line, partOrRefuse(batch, column) ?? 0)
  if (!row) return null
  const lookup = row.lookupId === null ? null : await readTrace(sql, row.lookupId)
  const state = row.outcome === 'pending' ? (lookup?.state ?? null) : row.outcome
  const answer = lookup && row.isShown ? await readAnswer(sql, lookup.id) : null
  const own = (await readOwnRows(sql, batch, [row], revealed)).get(line) ?? null
  const name = (await readNameMatches(sql, batch, [{ ...row, answer }])).get(line) ?? null
  return { row, own, lookup, answer, state, name, columns: documentColumns(batch) }
}

/** Everything that happened to one row, for a person or a program. */
export const readRowHistory = async (sql: Sql, batchId: bigint, place: WantedRow): Promise<RowHistory> => {
  const record = await readRowRecord(sql, await batchOrRefuse(sql, batchId), place)
  if (!record) throw new BatchRefusal(['no_line', batchId, place.line])
  return toRowHistoryView(batchId, record)
}

/** What happened to a look-up without a row. */
export const readLookupHistory = async (sql: Sql, id: bigint): Promise<LookupHistoryView> => {
  const found = await readTrace(sql, id)
  if (!found) throw new BatchRefusal(['no_lookup', id])
  return toLookupHistoryView(found)
}

export type RowPage = {
  rows: RowLine[]
  /** The line after which the next page starts; null at the end. */
  next: number | null
  /** The last line searched, if the search stopped before the page was full. */
  searchedTo: number | null
}

export const pageSize = 50
const longStretch = 20_000
const shortStretch = 500
const timeoutMs = 100

type Options = {
  size?: number
  /** Leaves out rows by what only their cells in the file show. */
  keep?: ((rows: RowLine[]) => Promise<RowLine[]>) | undefined
}

/** Searches a batch in chunks until a page is filled with complete rows, the file ends, or the search takes too long. */
export const collectRows = async (
  sql: Sql,
  batchId: bigint,
  filter: RowFilter,
  after: number,
  { size = pageSize, keep }: Options = {},
): Promise<RowPage> => {
  const end = await lastLine(sql, batchId)
  const began = performance.now()
  const rows: RowLine[] = []
  const stretch = keep ? shortStretch : longStretch
  for (let from = after; from < end; from += stretch) {
    const window = { after: from, upTo: from + stretch, limit: keep ? stretch : size + 1 - rows.length }
    const found = await readRows(sql, batchId, filter, window)
    rows.push(...(keep ? await keep(found) : found))
    if (rows.length > size) {
      const complete = rows.slice(0, rows.findLastIndex(({ line }, at) => at < size && line < rows[size]!.line) + 1)
      return { rows: complete, next: complete.at(-1)!.line, searchedTo: null }
    }
    const searchedTo = from + stretch
    if (searchedTo < end && performance.now() - began > timeoutMs) return { rows, next: searchedTo, searchedTo }
  }
  return { rows, next: null, searchedTo: null }
}
