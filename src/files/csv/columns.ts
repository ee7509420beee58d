import { type DocumentType, readDocument } from '../../domain/document.ts'
import type { Kind } from '../../domain/kind.ts'
import { FileProblem } from './file-problem.ts'

/** Where things stand in a row. */
export type Columns = {
  /** How many columns are the caller's; the ones that Vigia added to an earlier file come after them. */
  width: number
  ownColumns: number
  document: number | undefined
  /** A column named `cpf` or `cnpj` says what its cells most likely are. */
  likely: DocumentType | undefined
  type: number | undefined
  name: number | undefined
  process: number | undefined
  ref: number | undefined
}

/** Finds the columns by their names, accents, case and separators ignored; a FileProblem where that cannot be done. */
export function findColumns(header: readonly string[], kind: Kind): Columns {
  const ownColumns = countOwnColumns(header)
  const names = header.slice(0, header.length - ownColumns).map(plainName)
  refuseDuplicates(header.slice(0, names.length))
  const document = documentColumn(header, names)
  const columns: Columns = {
    width: names.length,
    ownColumns,
    document,
    likely: document === undefined ? undefined : likelyTypes[names[document] as string],
    type: columnOf(names, ['tipo', 'type', 'documenttype']),
    name: columnOf(names, ['nome', 'name']),
    process: columnOf(names, processNames),
    ref: columnOf(names, ['ref', 'id', 'codigo', 'externalid']),
  }
  refuseMissing(columns, header, kind)
  return columns
}

/** A file without a header is one column: of documents, or of process numbers for an inactivation. */
export function bareColumns(kind: Kind): Columns {
  const process = kind === 'inactivation' ? 0 : undefined
  const document = kind === 'inactivation' ? undefined : 0
  const absent = { likely: undefined, type: undefined, name: undefined, ref: undefined }
  return { width: 1, ownColumns: 0, document, process, ...absent }
}

export const isDocumentName = (name: string) => [...documentNames, lastResort].includes(plainName(name))
export const isProcessName = (name: string) => processNames.includes(plainName(name))

const documentNames = ['documento', 'cpf', 'cnpj', 'cpfcnpj', 'document', 'documentnumber']
const processNames = ['numeroprocesso', 'processo', 'process', 'numberprocess']
/** The registry's word for the document of a radar (Interface 2.2); elsewhere it often means something else. */
const lastResort = 'code'
const likelyTypes: Partial<Record<string, DocumentType>> = { cpf: 'CPF', cnpj: 'CNPJ' }

/** `CPF/CNPJ`, `cpf_cnpj` and `Cpf Cnpj` are one name; `Número_Processo` is `numero_processo`. */
function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

function columnOf(names: string[], wanted: readonly string[]): number | undefined {
  const at = names.findIndex((name) => wanted.includes(name))
  return at < 0 ? undefined : at
}

function documentColumn(header: readonly string[], names: string[]): number | undefined {
  const found = names.flatMap((name, at) => (documentNames.includes(name) ? [at] : []))
  if (found.length <= 1) return found[0] ?? columnOf(names, [lastResort])
  const listed = found.map((at) => JSON.stringify(header[at])).join(' and ')
  throw new FileProblem(
    'several_document_columns',
    `the columns ${listed} may both hold the document: rename all but one`,
  )
}

/** A rejects file that was mended, or a report, comes back with the columns that Vigia had added on the right. */
function countOwnColumns(header: readonly string[]): number {
  const names = header.map((name) => name.trim().toLowerCase())
  const result = names.indexOf('result_status')
  if (result >= 0 && names[result + 1] === 'result_detail') return header.length - result
  return names.slice(-3).join() === 'reject_line,reject_reason,reject_detail' ? 3 : 0
}

function refuseDuplicates(header: readonly string[]): void {
  const names = header.map((name) => name.trim().toLowerCase())
  const repeated = names.filter((name, at) => name !== '' && names.indexOf(name) < at)
  if (repeated.length === 0) return
  const listed = [...new Set(repeated)].map(quoted).join(', ')
  throw new FileProblem('duplicate_headers', `more than one column is named ${listed}: give each its own name`)
}

function refuseMissing(columns: Columns, header: readonly string[], kind: Kind): void {
  const process = kind === 'inactivation'
  if ((process ? columns.process : columns.document) !== undefined) return
  const what = process ? 'process numbers "numero_processo"' : 'documents "documento", "cpf", "cnpj" or "cpf_cnpj"'
  if (header.some(mayBeDocument)) {
    throw new FileProblem('no_header', `the first line is no header: put one above it and name the column of ${what}`)
  }
  const found = header.slice(0, 20).map(quoted).join(', ')
  const code = process ? 'no_process_column' : 'no_document_column'
  throw new FileProblem(code, `the header has ${found}, but no column of ${what}: rename yours to one of these`)
}

/** Where the header is missing, a row stands in its place, and nobody's document belongs in a message. */
const quoted = (name: string): string => JSON.stringify(mayBeDocument(name) ? '***' : name.slice(0, 40))

const mayBeDocument = (cell: string): boolean =>
  /\d{8}/.test(cell.replace(/[.\-/\s]/g, '')) || 'document' in readDocument(cell)
