import type { FileHandle } from 'node:fs/promises'
import { onlyColumn, unaskedColumns } from '../files/columns/by-content.ts'
import { bareColumns, type Columns } from '../files/columns/find-columns.ts'
import {
  type FoundHeader,
  findHeader,
  mostColumns,
  type ReadRequest,
  type SampleRow,
  sampleSize,
  sampleText,
} from '../files/columns/find-header.ts'
import type { RememberedColumns } from '../files/columns/read-options.ts'
import { detectDialect } from '../files/csv/detect-dialect.ts'
import { isBareCell } from '../files/csv/detect-layout.ts'
import type { Dialect } from '../files/csv/dialect.ts'
import { openCsv } from '../files/csv/read.ts'
import type { CsvRecord } from '../files/csv/record-parser.ts'
import { FileProblem } from '../files/file-problem.ts'
import { openTable, type Table, tableOf } from '../files/open-table.ts'
import { sheetDialect } from '../files/sheet-text.ts'
import type { ThreadTask } from '../files/thread/file-thread.ts'
import { readInThread, type ThreadLimits } from '../files/thread/read-in-thread.ts'
import type { Layout } from './layout.ts'

type Open = () => AsyncIterable<Uint8Array>

/** Opens a table and reads its layout, in a thread; a FileProblem says why it cannot be read. */
export const readTable = (open: Open, request: ReadRequest, limits?: ThreadLimits): Promise<Table & ReadLayout> =>
  ask<ReadLayout>(open, { request, wants: 'layout' }, limits)

/** The same for a file that a person still has to explain: only its first rows. */
export const readTableTop = (open: Open, request: ReadRequest): Promise<Table & TableTop> =>
  ask<TableTop>(open, { request, wants: 'top' })

const ask = async <Found>(open: Open, input: TableQuestion, limits?: ThreadLimits): Promise<Table & Found> => {
  const module = new URL(import.meta.url)
  const { sheet, text, found } = await readInThread<TableAnswer>({ module, input, open, limits })
  return { ...tableOf(open, sheet, text), ...(found as Found) }
}

type TableQuestion = { request: ReadRequest; wants: 'layout' | 'top' }

/** For a workbook, `text` is an open file with the text of its sheet. */
type TableAnswer = { sheet: Table['sheet']; text: FileHandle | null; found: ReadLayout | TableTop }

/** Unpacks a workbook and reads how a table is laid out; runs in the thread of `readInThread`. */
export const read: ThreadTask<TableQuestion, TableAnswer> = async ({ request, wants }, open) => {
  const table = await openTable(open, request)
  try {
    const found = wants === 'layout' ? await readLayout(table, request) : await readTop(table)
    const { sheet, text } = table
    return { output: { sheet, text, found }, moved: text ? [text] : [] }
  } catch (error) {
    await table[Symbol.asyncDispose]()
    throw error
  }
}

/** How a file was understood: its layout, its headers, and the remembered choice that decided it. */
export type ReadLayout = { layout: Layout; headers: string[] | null; remembered: RememberedColumns | null }

/** Reads the layout of a table; a FileProblem says why it cannot be read. Its text is read twice. */
export const readLayout = async (table: Table, asked: ReadRequest): Promise<ReadLayout> => {
  const request = requestOf(table, asked)
  const { dialect, sample } = await readTop(table)
  if (sample.length === 0) throw new FileProblem(['file_empty'])
  const found = bareOrFound(sample, dialect, request)
  const head = found.at === null ? null : (sample[found.at] as CsvRecord)
  if (sample.length === (found.at ?? -1) + 1) throw new FileProblem(['no_rows'])
  const columns = widened(found.columns, table)
  const rows = sample.slice((found.at ?? -1) + 1)
  const unasked = unaskedColumns(head?.cells ?? [], rows, found.columns, request.kind)
  const readAs = layoutKeyOf(sample, dialect, found, request)
  const layout = {
    dialect: dialectOf(dialect, head, found.at),
    columns,
    header: head && { start: head.start, end: head.end },
    ...sheetOf(table),
    ...(unasked.length > 0 && { unasked }),
    ...(readAs && { readAs }),
  }
  return { layout, headers: head?.cells ?? null, remembered: found.remembered }
}

/** The columns of joined sheets are known already. */
const requestOf = ({ sheet }: Table, request: ReadRequest): ReadRequest => {
  if (!sheet?.joined) return request
  const { documentType } = request.choice
  return { ...request, remembered: [], choice: { columns: sheet.joined.columns, headerLine: 1, documentType } }
}

const sheetOf = ({ sheet }: Table): Pick<Layout, 'sheet' | 'unread' | 'joined'> =>
  sheet
    ? {
        sheet: sheet.name,
        ...(sheet.unread.length > 0 && { unread: sheet.unread }),
        ...(sheet.joined && { joined: sheet.joined }),
      }
    : {}

/** Rows of a sheet may have more cells than its header, such as notes on the right. */
const widened = (columns: Columns, { sheet }: Table): Columns => ({
  ...columns,
  width: Math.max(columns.width, columns.ownColumns > 0 ? 0 : (sheet?.columns ?? 0)),
})

const dialectOf = (dialect: Dialect, head: CsvRecord | null, at: number | null): Dialect =>
  head === null ? { ...dialect, header: false } : { ...dialect, header: true, ...(at && { headerLine: head.line }) }

/** The dialect of a table, and its first rows. */
type TableTop = { dialect: Dialect; sample: CsvRecord[] }

const readTop = async (table: Table): Promise<TableTop> => {
  const dialect = table.sheet ? sheetDialect : await detectDialect(table.open())
  const csv = await openCsv(table.open(), { ...dialect, header: false }, { batchSize: sampleSize })
  const sample: CsvRecord[] = []
  for await (const records of csv.records) {
    sample.push(...records)
    if (sample.length >= sampleSize || records.at(-1)!.end >= sampleText) break
  }
  await csv.close()
  refuseWide(sample)
  return { dialect, sample: sample.slice(0, sampleSize) }
}

const refuseWide = (sample: readonly CsvRecord[]): void => {
  const wide = sample.find(({ cells }) => cells.length > mostColumns)
  if (wide) throw new FileProblem(['at_line', wide.line, ['many_columns', wide.cells.length, mostColumns]])
}

/** A file of one column whose first cell is no header, or else what the header or the content shows. */
const bareOrFound = (rows: readonly SampleRow[], { header }: Dialect, request: ReadRequest): FoundHeader => {
  const { kind, choice } = request
  const only = choice.headerLine === undefined && !choice.columns ? onlyColumn(rows) : undefined
  if (only === undefined || (header && !isBareCell(rows[0]?.cells[only] ?? ''))) return findHeader(rows, request)
  return { at: null, columns: { ...bareColumns(kind, only), likely: choice.documentType }, remembered: null }
}

/** Null if the file would have been read the same way by itself. */
const layoutKeyOf = (
  rows: readonly SampleRow[],
  dialect: Dialect,
  { at, columns }: FoundHeader,
  { kind }: ReadRequest,
): string | null => {
  const alone = nullIfUnreadable(() => bareOrFound(rows, dialect, { kind, choice: {}, remembered: [] }))
  const readAs = JSON.stringify([at, columns])
  return alone && JSON.stringify([alone.at, alone.columns]) === readAs ? null : readAs
}

/** Null where a file cannot be read so. */
export const nullIfUnreadable = <T>(action: () => T): T | null => {
  try {
    return action()
  } catch (problem) {
    if (problem instanceof FileProblem) return null
    throw problem
  }
}
