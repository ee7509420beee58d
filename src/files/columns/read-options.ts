import type { DocumentType } from '../../domain/document.ts'
import { plainHeader } from './header-tokens.ts'
import type { ColumnRole } from './roles.ts'

/** Which header is what. */
export type ColumnNames = Partial<Record<ColumnRole, string>>

/** How a person wants a file to be read; whatever is left out is detected. */
export type ReadOptions = {
  columns?: ColumnNames
  sheet?: string | undefined
  /** As a text editor counts the lines of a CSV, or a sheet its rows; 0: the file has no header. */
  headerLine?: number | undefined
  /** Decides where a number could be a CPF and a CNPJ. */
  documentType?: DocumentType | undefined
}

/** What somebody chose for these headers once. */
export type RememberedColumns = { id: bigint; key: string; columns: ColumnNames }

/** The same headers in the same order are the same table, whatever their case, accents and marks. */
export const headersKey = (headers: readonly string[]): string => {
  const names = headers.map(plainHeader)
  return names.slice(0, 1 + names.findLastIndex((name) => name !== '')).join('|')
}
