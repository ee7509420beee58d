import { readDocument } from '../../domain/document.ts'
import type { Kind } from '../../domain/kind.ts'
import { readProcessNumber } from '../../domain/process-number.ts'

type Row = { cells: readonly string[] }

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
