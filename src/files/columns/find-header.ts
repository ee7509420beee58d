import type { Kind } from '../../domain/kind.ts'
import { FileProblem } from '../file-problem.ts'
import { beginsWithDocument, columnsWithoutHeader, isAsked, isMostlyAsked } from './by-content.ts'
import {
  type Columns,
  countOwnColumns,
  findColumns,
  isColumnNumber,
  mayBeDocument,
  missing,
  nameOrNumber,
  namesWhatIsAsked,
} from './find-columns.ts'
import { type ColumnNames, headersKey, headersOf, type ReadOptions, type RememberedColumns } from './read-options.ts'
import { plainHeader } from './roles.ts'

/** The first rows of a table, with titles, and the line on which each begins. */
export type SampleRow = { line: number; cells: readonly string[] }

export type FoundHeader = {
  /** The position of the header in the sample; null: the table has none. */
  at: number | null
  columns: Columns
  /** The remembered choice that decided it; null if the names decided, or the options of the present request. */
  remembered: RememberedColumns | null
}

/** How a table is to be read: the kind, the options of the request, and what people chose before. */
export type ReadRequest = { kind: Kind; choice: ReadOptions; remembered: readonly RememberedColumns[] }

/** How many rows are examined; titles, notes and logos above a header take a few. */
export const sampleSize = 200
/** How many characters or bytes of them are examined: a few rows may hold as much as a file. */
export const sampleText = 4 * 1024 ** 2
const deepestHeader = 50

/**
 * Finds the header below titles, and the columns: by the options of the request, by what was chosen for the same headers
 * before, by names. What only the cells suggest is offered in a FileProblem, and never used by itself.
 */
export const findHeader = (sample: readonly SampleRow[], request: ReadRequest): FoundHeader => {
  const { kind, choice, remembered } = request
  const { columns: chosen = {}, headerLine } = choice
  const at = headerLine === undefined ? headerAt(sample, request) : headerLine > 0 ? atLine(sample, headerLine) : null
  if (at === null) {
    const columns = columnsWithoutHeader(sample, kind, chosen)
    return { at, columns: withType(columns, choice), remembered: null }
  }
  if (at === undefined) throw offering(sample, kind)
  const { cells } = sample[at] as SampleRow
  const headers = headersKey(cells)
  const known = remembered.find(({ key }) => key === headers) ?? null
  const columns = columnsOf(sample, at, kind, { ...(known?.columns ?? {}), ...withoutRivals(chosen, known) })
  return { at, columns: withType(columns, choice), remembered: known }
}

/** The type that a person gave; of several columns of documents it is that of those whose name says none. */
const withType = (columns: Columns, { documentType }: ReadOptions): Columns => ({
  ...columns,
  likely: documentType ?? columns.likely,
  ...(columns.several && {
    several: columns.several.map((each) => ({ ...each, likely: each.likely ?? documentType })),
  }),
})

const columnsOf = (sample: readonly SampleRow[], at: number, kind: Kind, names: ColumnNames): Columns => {
  const { cells } = sample[at] as SampleRow
  try {
    return findColumns(cells, kind, names)
  } catch (problem) {
    if (problem instanceof FileProblem && problem.reason[0] === 'no_column')
      throw missing(cells, kind, offeredColumns(sample, at, kind))
    throw problem
  }
}

/** If the documents are named now, all remembered columns of documents are ignored. */
const withoutRivals = (chosen: ColumnNames, known: RememberedColumns | null): ColumnNames => {
  const names = chosen.documento ?? chosen.cpf ?? chosen.cnpj
  if (!known || names === undefined) return chosen
  return { documento: undefined, cpf: undefined, cnpj: undefined, ...chosen } as ColumnNames
}

/** Null: the table has no header. Undefined: nothing shows where it is. */
const headerAt = (sample: readonly SampleRow[], request: ReadRequest): number | null | undefined => {
  const { kind, choice, remembered } = request
  const { columns: chosen = {} } = choice
  const top = sample.slice(0, deepestHeader)
  const wanted = Object.values(chosen)
    .flatMap(headersOf)
    .filter((name) => !isColumnNumber(name))
    .map(plainHeader)
  const known = new Set(remembered.map(({ key }) => key))
  const widest = Math.max(...sample.map(({ cells }) => filled(cells)))
  const isTable = (row: SampleRow) => filled(row.cells) > 1 || widest <= 1 || isAboveDocument(sample, row, kind)
  const rules: ((row: SampleRow) => boolean)[] = [
    ...(wanted.length > 0
      ? [({ cells }: SampleRow) => wanted.every((name) => cells.some((cell) => plainHeader(cell) === name))]
      : []),
    ({ cells }) => known.has(headersKey(cells)),
    (row) => isTable(row) && namesWhatIsAsked(row.cells.slice(0, row.cells.length - countOwnColumns(row.cells))),
  ]
  for (const rule of rules) {
    const at = top.findIndex(rule)
    if (at >= 0) return at
  }
  if (beginsWithDocument(sample, kind)) return null
  return choice.columns ? likelyHeader(sample, kind) : undefined
}

/** A lone cell is a title, unless the cell right below it is what it names. */
const isAboveDocument = (sample: readonly SampleRow[], row: SampleRow, kind: Kind): boolean => {
  const column = row.cells.findIndex((cell) => cell.trim() !== '')
  const below = sample[sample.indexOf(row) + 1]
  return isAsked(below?.cells[column] ?? '', kind)
}

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length

const atLine = (sample: readonly SampleRow[], line: number): number => {
  const at = sample.findIndex((row) => row.line === line)
  if (at < 0) throw new FileProblem(['no_header_line', line])
  return at
}

/** Where no name identifies the column, its cells may; the FileProblem then shows which option to give. */
const offering = (sample: readonly SampleRow[], kind: Kind): FileProblem => {
  const at = likelyHeader(sample, kind)
  const { cells } = sample[at] ?? { cells: [] }
  return missing(cells, kind, offeredColumns(sample, at, kind))
}

/** The row above the first one that holds a document, or the first that is more than a title. */
export const likelyHeader = (sample: readonly SampleRow[], kind: Kind): number => {
  const first = sample.findIndex(({ cells }) => cells.some((cell) => isAsked(cell, kind)))
  if (first > 0) return first - 1
  const table = sample.findIndex(({ cells }) => filled(cells) > 1)
  return first === 0 || table < 0 ? 0 : table
}

/** The headers of columns most of whose cells are what is asked about; the number of a column without a name. */
const offeredColumns = (sample: readonly SampleRow[], at: number, kind: Kind): string[] => {
  const { cells: header } = sample[at] as SampleRow
  const own = header.length - countOwnColumns(header)
  const rows = sample.slice(at + 1)
  const offered = [...header.slice(0, own).keys()].filter((column) => {
    return !mayBeDocument(header[column] as string) && isMostlyAsked(rows, column, kind)
  })
  return offered.map((column) => nameOrNumber(header, column))
}

/** The limit for columns of a table, in a CSV and in a sheet; Excel would allow 16,384. */
export const mostColumns = 2_000
