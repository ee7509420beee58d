import type { Columns } from '../csv/columns.ts'
import type { CsvRecord } from '../csv/csv-record.ts'
import { readDocument } from '../domain/document.ts'
import type { Kind } from '../domain/kind.ts'
import { readProcessNumber } from '../domain/process-number.ts'
import type { Question } from '../store/ask-lookups.ts'

/** What a row asks, with what had to be repaired; or why it asks nothing. */
export type ReadRow = { question: Question; repair: string | null } | { rejected: string; detail: string }

/** Reads one record. Rows that are too short are read as far as they go; cells too many could be any column's. */
export const readRow = ({ cells, misquoted }: CsvRecord, columns: Columns, kind: Kind): ReadRow => {
  const most = columns.width + columns.ownColumns
  if (misquoted) return { rejected: 'quotes', detail: 'the quotes of this row do not match: close or double them' }
  if (cells.length > most) {
    return {
      rejected: 'columns',
      detail: `the row has ${cells.length} cells, the header ${most}: quote the cell that holds the separator`,
    }
  }
  return kind === 'inactivation' ? readProcess(cells, columns) : readPerson(cells, columns, kind)
}

const readPerson = (cells: string[], columns: Columns, kind: Kind): ReadRow => {
  const reading = readDocument(cellAt(cells, columns.document), cellAt(cells, columns.type), columns.likely)
  if ('refused' in reading) return { rejected: reading.refused, detail: reading.detail }
  const { document, repairs } = reading
  if (kind === 'cnh' && document.type !== 'CPF')
    return { rejected: 'type_mismatch', detail: 'only a CPF has a driver’s licence' }
  const label = kind === 'radar' ? cellAt(cells, columns.name).trim() || null : null
  return { question: { question: document.number, documentType: document.type, label }, repair: joined(repairs) }
}

const readProcess = (cells: string[], columns: Columns): ReadRow => {
  const reading = readProcessNumber(cellAt(cells, columns.process))
  if ('refused' in reading) return { rejected: reading.refused, detail: reading.detail }
  return { question: { question: reading.number, documentType: null, label: null }, repair: joined(reading.repairs) }
}

const cellAt = (cells: string[], index: number | undefined): string => (index === undefined ? '' : (cells[index] ?? ''))
const joined = (repairs: readonly string[]): string | null => (repairs.length > 0 ? repairs.join('+') : null)
