import { readDocument } from '../../domain/document.ts'
import type { Kind } from '../../domain/kind.ts'
import { readProcessNumber } from '../../domain/process-number.ts'
import { bareColumns, type Columns, documentPlaces, findColumns, nameOrNumber, severalColumns } from './find-columns.ts'
import type { ColumnNames } from './read-options.ts'

type Row = { cells: readonly string[] }

/**
 * Whether a file has no header, by its content: its first row holds a valid document, and the next row continues that
 * column. Below a title that holds a document stands the name of a column instead.
 */
export const beginsWithDocument = ([first, second]: readonly Row[], kind: Kind): boolean =>
  first?.cells.some((cell, at) => isAsked(cell, kind) && !isName(second?.cells[at] ?? '')) ?? false

const isName = (cell: string): boolean => cell.trim() !== '' && !/\d/.test(cell)

/**
 * The columns of a file without a header, by the numbers that a person gave, and otherwise by content: the only column
 * that holds what is asked about.
 */
export const columnsWithoutHeader = (sample: readonly Row[], kind: Kind, chosen: ColumnNames): Columns => {
  const names = Array.from({ length: usualWidth(sample) }, () => '')
  const role = kind === 'inactivation' ? 'processo' : 'documento'
  const isChosen = [role, 'cpf', 'cnpj'].some((each) => chosen[each as keyof ColumnNames] !== undefined)
  if (isChosen) return findColumns(names, kind, chosen)
  const asked = names.flatMap((_, at) => (isMostlyAsked(sample, at, kind) ? [String(at + 1)] : []))
  if (asked.length > 1) throw severalColumns(asked)
  const only = onlyColumn(sample)
  if (asked.length === 0 && only !== undefined) return bareColumns(kind, only)
  return findColumns(names, kind, asked[0] === undefined ? chosen : { ...chosen, [role]: asked[0] })
}

/** The only column with content. */
export const onlyColumn = (sample: readonly Row[]): number | undefined => {
  const filled = sample.map(({ cells }) => cells.flatMap((cell, at) => (cell.trim() === '' ? [] : [at])))
  const [at] = filled[0] ?? []
  return filled.every((places) => places.every((place) => place === at)) ? at : undefined
}

/** The number of cells that most rows have; of two that are as usual, the larger one. */
const usualWidth = (sample: readonly Row[]): number => {
  const widths = Map.groupBy(sample, ({ cells }) => cells.length)
  const [[width] = [1]] = [...widths].sort(([a, rows], [b, others]) => others.length - rows.length || b - a)
  return width
}

/** Whether a cell is what is asked about: a valid document, or a process number for an inactivation. */
export const isAsked = (cell: string, kind: Kind): boolean => {
  if (kind !== 'inactivation') return 'document' in readDocument(cell)
  const parsed = readProcessNumber(cell)
  return 'number' in parsed && parsed.warning !== 'older_numbering'
}

/** Whether most cells of a column are what is asked about. */
export const isMostlyAsked = (rows: readonly Row[], column: number, kind: Kind): boolean => {
  const full = rows.map(({ cells }) => (cells[column] ?? '').trim()).filter((cell) => cell !== '')
  return full.length > 0 && full.filter((cell) => isAsked(cell, kind)).length >= full.length / 2
}

/** The headers of columns that hold documents, other ones than those that are asked about; numbers where there is none. */
export const unaskedColumns = (
  header: readonly string[],
  rows: readonly Row[],
  columns: Columns,
  kind: Kind,
): string[] => {
  if (kind === 'inactivation') return []
  const asked = documentPlaces(columns)
  const repeats = (at: number) =>
    rows.every(({ cells }) => asked.some((one) => digits(cells[one]) === digits(cells[at])))
  const others = [...Array(columns.width).keys()].filter((at) => !asked.includes(at))
  return others.filter((at) => isMostlyAsked(rows, at, kind) && !repeats(at)).map((at) => nameOrNumber(header, at))
}

const digits = (cell = ''): string => cell.replace(/[^0-9A-Za-z]/g, '')
