import { bareColumns, type Columns } from '../files/columns/find-columns.ts'
import {
  type FoundHeader,
  findHeader,
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
import { mostColumns } from '../files/most-columns.ts'
import type { Table } from '../files/open-table.ts'
import { sheetDialect } from '../files/sheet-text.ts'
import type { Layout } from './layout.ts'

/** How a file was understood: its layout, its headers, and the remembered choice that decided it. */
export type ReadLayout = { layout: Layout; headers: string[] | null; remembered: RememberedColumns | null }

/** Reads the layout of a table; a FileProblem says why it cannot be read. Its text is read twice. */
export const readLayout = async (table: Table, request: ReadRequest): Promise<ReadLayout> => {
  const { dialect, sample } = await readTop(table)
  if (sample.length === 0) throw new FileProblem('empty', ['file_empty'])
  const bare = bareColumn(sample, dialect, request)
  const found =
    bare === undefined
      ? readHeader(sample, dialect, request)
      : bareLayout(dialect, bareColumns(request.kind, bare), request)
  const { columns } = found.layout
  const width = Math.max(columns.width, columns.ownColumns > 0 ? 0 : (table.sheet?.columns ?? 0))
  const sheet = table.sheet && { sheet: table.sheet.name }
  return { ...found, layout: { ...found.layout, columns: { ...columns, width }, ...sheet } }
}

/** The dialect of a table, and its first rows. */
export type TableTop = { dialect: Dialect; sample: CsvRecord[] }

export const readTop = async (table: Table): Promise<TableTop> => {
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
  if (wide) throw new FileProblem('too_many_columns', ['many_columns', wide.cells.length, mostColumns], wide.line)
}

/** The only column with content, if its first cell is no header; otherwise undefined. */
const bareColumn = (sample: readonly SampleRow[], { header }: Dialect, { choice }: ReadRequest): number | undefined => {
  if (choice.headerLine !== undefined || choice.columns) return undefined
  if (!header) return 0
  const filled = sample.map(({ cells }) => cells.flatMap((cell, at) => (cell.trim() === '' ? [] : [at])))
  const [at] = filled[0] ?? []
  const isOne = at !== undefined && filled.every((places) => places.every((place) => place === at))
  return isOne && isBareCell(sample[0]?.cells[at] ?? '') ? at : undefined
}

const bareLayout = (dialect: Dialect, columns: Columns, { choice }: ReadRequest): ReadLayout => {
  const { documentType } = choice
  const layout = { dialect: { ...dialect, header: false }, columns: { ...columns, likely: documentType }, header: null }
  return { layout: documentType ? { ...layout, readAs: documentType } : layout, headers: null, remembered: null }
}

const readHeader = (sample: readonly CsvRecord[], dialect: Dialect, request: ReadRequest): ReadLayout => {
  const found = findHeader(sample, request)
  const { cells, line, start, end } = sample[found.at] as CsvRecord
  if (sample.length === found.at + 1) throw new FileProblem('empty', ['no_rows'])
  const headerLine = found.at > 0 ? { headerLine: line } : {}
  const layout = {
    dialect: { ...dialect, header: true, ...headerLine },
    columns: found.columns,
    header: { start, end },
  }
  const readAs = layoutKeyOf(sample, found, request)
  return { layout: readAs ? { ...layout, readAs } : layout, headers: cells, remembered: found.remembered }
}

/** Null if the file would have been read the same way by itself. */
const layoutKeyOf = (
  sample: readonly CsvRecord[],
  { at, columns }: FoundHeader,
  { kind }: ReadRequest,
): string | null => {
  const alone = attempt(() => findHeader(sample, { kind, choice: {}, remembered: [] }))
  const readAs = JSON.stringify([at, columns])
  return alone && JSON.stringify([alone.at, alone.columns]) === readAs ? null : readAs
}

const attempt = <T>(action: () => T): T | null => {
  try {
    return action()
  } catch (problem) {
    if (problem instanceof FileProblem) return null
    throw problem
  }
}
