import type { DocumentType } from '../../domain/document.ts'
import { maskDocuments } from '../../domain/mask-documents.ts'
import type { Message } from '../../messages/message.ts'
import { type ColumnRole, plainHeader } from './roles.ts'

/** Which header is what; a list of headers where each row is asked about several documents. */
export type ColumnNames = Partial<Record<Exclude<ColumnRole, 'documento'>, string>> & {
  documento?: string | readonly string[]
}

/** The headers of a role. */
export const headersOf = (names: string | readonly string[] | undefined): readonly string[] =>
  typeof names === 'string' ? [names] : (names ?? [])

/** The most columns of documents that a file may have. */
const mostDocuments = 10

/**
 * Adds the column of a role to those that were named before, or says why that cannot be. Only `documento` may be named
 * several times; columns named `cpf` and `cnpj` hold the one document of a row between them.
 */
export const addColumn = (
  columns: ColumnNames,
  role: ColumnRole,
  header: string,
): ColumnNames | { problem: Message } => {
  const rival = rivalsOf(role).find((each) => headersOf(columns[each]).some((name) => name !== header))
  if (rival) {
    const [name = ''] = headersOf(columns[rival])
    return { problem: ['column_twice', named(rival, name), named(role, header)] }
  }
  if (role !== 'documento') return { ...columns, [role]: header }
  const headers = [...new Set([...headersOf(columns.documento), header])]
  if (headers.length > mostDocuments) return { problem: ['many_documents', mostDocuments] }
  return { ...columns, documento: headers.length > 1 ? headers : header }
}

const rivalsOf = (role: ColumnRole): ColumnRole[] => {
  if (role === 'documento') return ['cpf', 'cnpj']
  return role === 'cpf' || role === 'cnpj' ? [role, 'documento'] : [role]
}

const named = (role: ColumnRole, header: string): string =>
  `${role}=${JSON.stringify(maskDocuments(header.trim().slice(0, 80)))}`

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
