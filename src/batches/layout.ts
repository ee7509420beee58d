import type { ReportFormat } from '../domain/batch.ts'
import { readDocument } from '../domain/document.ts'
import type { Kind } from '../domain/kind.ts'
import { readProcessNumber } from '../domain/process-number.ts'
import { type Columns, rolesByPlace } from '../files/columns/find-columns.ts'
import type { ColumnRole } from '../files/columns/roles.ts'
import type { Dialect } from '../files/csv/dialect.ts'
import type { CsvRecord } from '../files/csv/record-parser.ts'
import type { JoinedSheets } from '../files/join-sheets.ts'
import type { Message } from '../messages/message.ts'
import type { Batch } from '../store/batches/batches.ts'
import type { Question } from '../store/lookups/ask-lookups.ts'

/** How a file is written and where its columns are; stored with the batch for import and export alike. */
export type Layout = {
  dialect: Dialect
  columns: Columns
  header: { start: number; end: number } | null
  /** The sheet of a workbook that was read. */
  sheet?: string
  /** The sheets with documents that were not read. */
  unread?: string[]
  /** The columns with documents that are not asked about. */
  unasked?: string[]
  /** How several sheets were read as one table. */
  joined?: JoinedSheets
  /** How the file was read, if not as it would be by itself. The same file read another way is another batch. */
  readAs?: string
}

/** The layout of a batch; null before its import. */
export const layoutOf = (batch: { layout: unknown }): Layout => batch.layout as Layout

/** The question of a row about one document, with its repairs; or why it cannot be asked. */
export type ReadRow = { question: Question; repair: string | null } | RejectedRow
type RejectedRow = { rejected: string; detail: Message }

/** `needsAuthorization`: an SCR row without the person's consent is rejected (`scr.requireAuthorization`). */
export type RowRules = { needsAuthorization?: boolean }

/**
 * Reads what a record asks: once, or about each of its documents. It is rejected only where none of them can be read.
 *
 * Of several documents nobody knows to which one the name and the type of the row belong, so they go with none.
 */
export const rowReader = (columns: Columns, kind: Kind, rules?: RowRules): ((record: CsvRecord) => ReadRow[]) => {
  const each = columns.several?.map(({ at, likely }): Columns => {
    return { ...columns, several: undefined, document: at, likely, name: undefined, type: undefined }
  }) ?? [columns]
  return (record) => each.map((one) => readDocumentOf(record, one, kind, rules))
}

/** Why a row is rejected: what is wrong with its first document that is not missing. Null: one can be asked. */
const rejectionOf = (documents: readonly ReadRow[]): RejectedRow | null => {
  const rejected = documents.filter((each) => 'rejected' in each)
  if (rejected.length < documents.length) return null
  return rejected.find((each) => each.rejected !== 'empty') ?? rejected[0] ?? null
}

/** A row and what it asks. */
type AskingRecord = { record: CsvRecord; questions: Question[] }

/**
 * Reads what the rows of a file ask as an import would, in flat memory. Counts the rejected rows by reason, and apart the
 * documents that are not asked in rows that are asked about another one.
 */
export const readQuestions = async (
  records: AsyncIterable<CsvRecord[]>,
  readRow: (record: CsvRecord) => ReadRow[],
  take: (asking: AskingRecord[]) => Promise<void>,
) => {
  const counts = { rows: 0, rejected: 0, rejects: {} as Record<string, number>, notAsked: {} as Record<string, number> }
  const count = (reasons: Record<string, number>, { rejected }: RejectedRow): void => {
    reasons[rejected] = (reasons[rejected] ?? 0) + 1
  }
  for await (const some of records) {
    const asking: AskingRecord[] = []
    for (const record of some) {
      const documents = readRow(record)
      const rejection = rejectionOf(documents)
      if (rejection) {
        counts.rejected++
        count(counts.rejects, rejection)
        continue
      }
      for (const each of documents) if ('rejected' in each) count(counts.notAsked, each)
      asking.push({ record, questions: documents.flatMap((each) => ('question' in each ? [each.question] : [])) })
    }
    counts.rows += some.length
    await take(asking)
  }
  return counts
}

/** A short row is read as far as it goes. A row with extra cells is rejected: any may be misplaced. */
const readDocumentOf = (
  { cells, misquoted }: CsvRecord,
  columns: Columns,
  kind: Kind,
  { needsAuthorization = false }: RowRules = {},
): ReadRow => {
  const most = columns.width + columns.ownColumns
  if (misquoted) return { rejected: 'quotes', detail: ['quotes'] }
  if (cells.length > most) {
    return { rejected: 'columns', detail: ['cells', cells.length, most] }
  }
  const read = kind === 'inactivation' ? readProcess(cells, columns) : readPerson(cells, columns, kind)
  const lacks = kind === 'scr' && needsAuthorization && !isAuthorization(cellAt(cells, columns.authorization))
  return lacks && 'question' in read ? { rejected: 'authorization', detail: ['no_authorization'] } : read
}

const readPerson = (cells: string[], columns: Columns, kind: Kind): ReadRow => {
  const parsed = readEither(cells, columns)
  if ('refused' in parsed) return { rejected: parsed.refused, detail: parsed.detail }
  const { document, repairs } = parsed
  if (kind === 'cnh' && document.type !== 'CPF') return { rejected: 'type_mismatch', detail: ['only_cpf'] }
  const label = kind === 'radar' ? cellAt(cells, columns.name).trim() || null : null
  return { question: { question: document.number, documentType: document.type, label }, repair: joined(repairs) }
}

/** With a CPF and a CNPJ column side by side, the filled one counts. */
const readEither = (cells: string[], columns: Columns) => {
  const cell = cellAt(cells, columns.document)
  const type = cellAt(cells, columns.type)
  const cnpj = cellAt(cells, columns.cnpj)
  if (cnpj.trim() === '') return readDocument(cell, type, columns.likely)
  if (cell.trim() !== '') return { refused: 'two_documents', detail: ['two_documents'] as Message }
  return readDocument(cnpj, type, 'CNPJ')
}

const readProcess = (cells: string[], columns: Columns): ReadRow => {
  const parsed = readProcessNumber(cellAt(cells, columns.process))
  if ('refused' in parsed) return { rejected: parsed.refused, detail: parsed.detail }
  return { question: { question: parsed.number, documentType: null, label: null }, repair: joined(parsed.repairs) }
}

/** An empty cell is no consent, and neither is a plain no. */
const isAuthorization = (cell: string): boolean => !/^(|-+|n|no|nao|não|false|falso|0|n\/a)$/i.test(cell.trim())

const cellAt = (cells: string[], index: number | undefined): string => (index === undefined ? '' : (cells[index] ?? ''))
const joined = (repairs: readonly string[]): string | null => (repairs.length > 0 ? repairs.join('+') : null)

/** The header in the reports of a file without one: a name for each column that has a role. */
export const ownHeader = ({ columns }: Layout): string[] => {
  const roles = rolesByPlace(columns)
  const nameOf = (at: number) => columns.several?.find((each) => each.at === at)?.name
  return Array.from({ length: columns.width }, (_, at) => nameOf(at) ?? headerOf(roles.get(at)))
}

const headerOf = (role: ColumnRole | undefined): string => (role === 'processo' ? 'numero_processo' : (role ?? ''))

/** The format of a batch's report: the one that was asked for, else that of its file. */
export const formatOf = (batch: Batch): ReportFormat =>
  batch.format ?? (layoutOf(batch)?.sheet === undefined ? 'csv' : 'xlsx')

/** How many documents each row is asked about. */
export const documentsPerRow = ({ columns }: Layout): number => columns.several?.length ?? 1
