import type { Kind } from '../../domain/kind.ts'
import { isMostlyAsked } from './asked-cells.ts'
import { type Columns, documentPlaces, nameOrNumber } from './find-columns.ts'

type Row = { cells: readonly string[] }

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
