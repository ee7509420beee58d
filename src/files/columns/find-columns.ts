import { type DocumentType, readDocument } from '../../domain/document.ts'
import type { Kind } from '../../domain/kind.ts'
import { maskDocuments } from '../../domain/mask-documents.ts'
import { FileProblem } from '../file-problem.ts'
import { type ColumnNames, headersOf } from './read-options.ts'
import { type ColumnRole, type NamedRole, plainHeader, roleOf } from './roles.ts'

/** The positions of the columns in a row. */
export type Columns = {
  /** How many columns are the caller's; those that Vigia added to an earlier file come after them. */
  width: number
  ownColumns: number
  document: number | undefined
  /** The column of CNPJs, where CPF and CNPJ have one each; `document` is then the column of CPFs. */
  cnpj?: number | undefined
  /** The columns of documents where each row is asked about several; `document` is then the first. */
  several?: DocumentColumn[]
  /** The likely type of all cells: a column is named `cpf` or `cnpj`, or a person gave the type of the file. */
  likely: DocumentType | undefined
  type: number | undefined
  name: number | undefined
  process: number | undefined
  ref: number | undefined
  /** The reference or date of the person's consent to an SCR look-up. */
  authorization?: number | undefined
}

/** One of several columns of documents; `name` is what reports and people call it. */
type DocumentColumn = { at: number; name: string; likely: DocumentType | undefined }

/** The positions of all columns that hold a document of the row. */
export const documentPlaces = ({ document, cnpj, several }: Columns): number[] =>
  several?.map(({ at }) => at) ?? [document, cnpj].filter((at) => at !== undefined)

/** The column with the name of whom the row is about; beside several documents nobody knows whose name it is. */
export const nameColumn = ({ name, several }: Partial<Pick<Columns, 'name' | 'several'>>): number | undefined =>
  several ? undefined : name

/** Finds the columns by a person's choice, then by their names; a FileProblem where that is not possible. */
export const findColumns = (header: readonly string[], kind: Kind, chosen: ColumnNames = {}): Columns => {
  const ownColumns = countOwnColumns(header)
  const names = header.slice(0, header.length - ownColumns)
  refuseDuplicates(names)
  const named = names.map(roleOf)
  const columnOf = (role: ColumnRole) =>
    chosen[role] === undefined ? bestOf(named, role) : placeOf(names, chosen[role] as string)
  const columns: Columns = {
    width: names.length,
    ownColumns,
    ...(documentsChosen(names, chosen, kind) ?? documentsNamed(names, named, kind)),
    type: columnOf('tipo'),
    name: columnOf('nome'),
    process: columnOf('processo'),
    ref: columnOf('ref'),
    authorization: columnOf('autorizacao'),
  }
  if ((kind === 'inactivation' ? columns.process : columns.document) === undefined) throw missing(header, kind)
  return columns
}

/** A file without a header is one column: of documents, or of process numbers for an inactivation. */
export const bareColumns = (kind: Kind, at = 0): Columns => {
  const process = kind === 'inactivation' ? at : undefined
  const document = kind === 'inactivation' ? undefined : at
  const absent = { likely: undefined, type: undefined, name: undefined, ref: undefined }
  return { width: at + 1, ownColumns: 0, document, process, ...absent }
}

/** The header of each role that was found; the number of its column where it has no name. */
export const namedColumns = (columns: Columns, header: readonly string[]): ColumnNames => ({
  ...Object.fromEntries([...rolesByPlace(columns)].map(([at, role]) => [role, nameOrNumber(header, at)])),
  ...(columns.several && { documento: columns.several.map(({ at }) => nameOrNumber(header, at)) }),
})

/** The role of each column that has one, by its position. */
export const rolesByPlace = (columns: Columns): Map<number, ColumnRole> => {
  const { document, cnpj, several = [], type, name, process, ref, authorization } = columns
  const places: [number | undefined, ColumnRole][] = [
    [document, cnpj === undefined ? 'documento' : 'cpf'],
    [cnpj, 'cnpj'],
    ...several.map(({ at }): [number, ColumnRole] => [at, 'documento']),
    [type, 'tipo'],
    [name, 'nome'],
    [process, 'processo'],
    [ref, 'ref'],
    [authorization, 'autorizacao'],
  ]
  return new Map(places.flatMap(([at, role]) => (at === undefined ? [] : [[at, role]])))
}

/** How a person names a column: by its header, or by its number, counted from 1, where it has none. */
export const nameOrNumber = (header: readonly string[], at: number): string =>
  header[at]?.trim() ? (header[at] as string) : String(at + 1)

/** Whether a header names the column that is asked about. */
export const namesWhatIsAsked = (header: readonly string[]): boolean =>
  header.some((name) => isLastResort(name) || asked.includes(roleOf(name)?.role as ColumnRole))

const asked: ColumnRole[] = ['documento', 'cpf', 'cnpj', 'processo']

/** The registry's name for the document of a radar (Interface 2.2); elsewhere it often means something else. */
const isLastResort = (name: string): boolean => plainHeader(name) === 'code'

type Documents = Pick<Columns, 'document' | 'cnpj' | 'several' | 'likely'>

const documentsChosen = (
  names: readonly string[],
  { documento, cpf, cnpj }: ColumnNames,
  kind: Kind,
): Documents | undefined => {
  if (documento !== undefined) {
    const several = documentColumns(names, headersOf(documento))
    const [{ at: document, likely }] = several as [DocumentColumn]
    return { document, likely, ...(several.length > 1 && kind !== 'inactivation' && { several }) }
  }
  if (cpf === undefined && cnpj === undefined) return undefined
  if (cpf === undefined) return { document: placeOf(names, cnpj as string), likely: 'CNPJ' }
  return { document: placeOf(names, cpf), cnpj: cnpj === undefined ? undefined : placeOf(names, cnpj), likely: 'CPF' }
}

/** In the order of the file: the same columns named in another order are the same reading of it. */
const documentColumns = (names: readonly string[], wanted: readonly string[]): DocumentColumn[] => {
  const places = [...new Set(wanted.map((each) => placeOf(names, each)))].sort((a, b) => a - b)
  const shown = places.map((at) => maskDocuments((names[at] as string).trim().replace(/\s+/g, ' ').slice(0, 80)))
  return places.map((at, i) => ({
    at,
    name: shown[i] && shown.indexOf(shown[i]) === shown.lastIndexOf(shown[i]) ? shown[i] : `documento_${at + 1}`,
    likely: likelyOf(roleOf(names[at] as string)?.role),
  }))
}

/** One column, or one of CPFs and one of CNPJs. A name that says whose document it is yields to one that does not. */
const documentsNamed = (names: readonly string[], named: (NamedRole | undefined)[], kind: Kind): Documents => {
  const all = named.flatMap((found, at) => (found && isDocument(found.role) ? [{ ...found, at }] : []))
  const bare = all.filter((found) => found.bare)
  const found = bare.length > 0 ? bare : all
  const [first, second] = found
  if (!first) return { document: lastResort(names), likely: undefined }
  if (!second) return { document: first.at, likely: likelyOf(first.role) }
  const [cpf, cnpj] = (['cpf', 'cnpj'] as const).map((role) => found.find((each) => each.role === role))
  if (found.length === 2 && cpf && cnpj) return { document: cpf.at, cnpj: cnpj.at, likely: 'CPF' }
  if (kind === 'inactivation') return { document: first.at, likely: likelyOf(first.role) }
  throw severalColumns(found.map(({ at }) => names[at] as string))
}

/** More than one column may hold the document. */
export const severalColumns = (headers: readonly string[]): FileProblem => {
  const listed = headers.map(quoted).join(', ')
  return new FileProblem(['several_columns', listed, optionsFor('documento', headers)])
}

const isDocument = (role: ColumnRole): boolean => role === 'documento' || role === 'cpf' || role === 'cnpj'

const likelyOf = (role: ColumnRole | undefined): DocumentType | undefined =>
  role === 'cpf' ? 'CPF' : role === 'cnpj' ? 'CNPJ' : undefined

const lastResort = (names: readonly string[]): number | undefined => found(names.findIndex(isLastResort))

const found = (at: number): number | undefined => (at < 0 ? undefined : at)

const bestOf = (named: (NamedRole | undefined)[], role: ColumnRole): number | undefined => {
  const bare = named.findIndex((each) => each?.role === role && each.bare)
  return bare >= 0 ? bare : found(named.findIndex((each) => each?.role === role))
}

/** The column that a person named, exactly as written or apart from accents, case and marks; without a name, its number. */
const placeOf = (names: readonly string[], wanted: string): number => {
  const exact = names.findIndex((name) => name.trim() === wanted.trim())
  if (exact >= 0) return exact
  const plain = names.findIndex((name) => name.trim() !== '' && plainHeader(name) === plainHeader(wanted))
  if (plain >= 0) return plain
  const numbered = isColumnNumber(wanted) ? Number(wanted) - 1 : -1
  if (names[numbered]?.trim() === '') return numbered
  throw new FileProblem(['unknown_header', JSON.stringify(wanted), listOf(names)])
}

export const isColumnNumber = (text: string): boolean => /^\s*[1-9]\d{0,3}\s*$/.test(text)

/** A rejects file that was fixed, or a report, still has the columns on the right that Vigia had added. */
export const countOwnColumns = (header: readonly string[]): number => {
  const names = header.map((name) => name.trim().toLowerCase())
  const result = names.findIndex((name, at) => {
    const [, column] = /^(.+\.|)result_status$/s.exec(name) ?? []
    return column !== undefined && names[at + 1] === `${column}result_detail`
  })
  if (result >= 0) return header.length - result
  return names.slice(-3).join() === 'reject_line,reject_reason,reject_detail' ? 3 : 0
}

/**
 * How many cells of a row remain without those under the columns that Vigia had added. In a row with too many cells,
 * these no longer stand under their headers, but they are still its last ones.
 */
export const keptCells = (cells: number, { width, ownColumns }: Pick<Columns, 'width' | 'ownColumns'>): number =>
  cells > width + ownColumns ? cells - ownColumns : width

const refuseDuplicates = (header: readonly string[]): void => {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const name of header.map((each) => each.trim().toLowerCase())) {
    if (name !== '' && seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  if (repeated.size === 0) return
  const listed = [...repeated].slice(0, 20).map(quoted).join(', ')
  throw new FileProblem(['duplicate_headers', listed])
}

/** No column is what is asked about; `offered` are headers whose cells seem to be it. */
export const missing = (header: readonly string[], kind: Kind, offered: readonly string[] = []): FileProblem => {
  const role = kind === 'inactivation' ? 'processo' : 'documento'
  if (header.some(mayBeDocument)) return new FileProblem(['no_header', role])
  const offers = offered.length > 0 ? optionsFor(role, offered) : null
  return new FileProblem(['no_column', role, listOf(header), offers])
}

/** The options to add to a command, ready to be copied. */
const optionsFor = (role: ColumnRole, headers: readonly string[]): string =>
  headers.map((header) => `--column ${role}=${quoted(header)}`).join(', ')

const listOf = (header: readonly string[]): string => {
  const named = header.filter((name) => name.trim() !== '')
  const names = named.length > 0 ? named : header.map((_, at) => nameOrNumber(header, at))
  return names.slice(0, 20).map(quoted).join(', ')
}

/** If the header is missing, a row stands in its place, and no document of a person belongs in a message. */
const quoted = (name: string): string =>
  JSON.stringify(mayBeDocument(name) ? '***' : maskDocuments(name.trim()).slice(0, 80))

export const mayBeDocument = (cell: string): boolean =>
  /\d{8}/.test(cell.replace(/[.\-/\s]/g, '')) || 'document' in readDocument(cell)
