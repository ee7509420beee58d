import { basename, extname } from 'node:path'
import type { BatchSource, ReportEncoding, ReportFormat } from '../domain/batch.ts'
import type { Kind } from '../domain/kind.ts'
import { readPurpose } from '../domain/purpose.ts'
import { mayBeDocument } from '../files/columns/find-columns.ts'
import type { ReadRequest } from '../files/columns/find-header.ts'
import {
  type ColumnNames,
  headersKey,
  type ReadOptions,
  type RememberedColumns,
} from '../files/columns/read-options.ts'
import { FileProblem } from '../files/file-problem.ts'
import type { Language } from '../messages/languages.ts'
import type { Boss } from '../queue/boss.ts'
import { exportQueue, importQueue } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
import { findCurrentBatch, insertBatch, keepPurpose, retireBatches, wantMore } from '../store/batches/batches.ts'
import { dropColumnChoice, readColumnChoices, saveColumnChoice } from '../store/batches/column-choices.ts'
import { dropFile, dropUnneeded, type StoredFile } from '../store/batches/files.ts'
import { recordDialect } from '../store/batches/import.ts'
import type { Database, Sql, Transaction } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import { BatchRefusal } from './batch-or-refuse.ts'
import { documentsPerRow, type Layout } from './layout.ts'
import { readTable } from './read-layout.ts'
import { readStoredFile, readUnderClaim, storeFile } from './stored-file.ts'

export type Submission = {
  bytes: AsyncIterable<Uint8Array>
  fileName: string
  organizationId: number
  kind: Kind
  source: BatchSource
  by: string
  /** The smallest of the limits of the settings and the caller; null: no limit. */
  maxSpend: number | null
  /** Above this many paid calls the batch needs approval; null: never. */
  confirmAbove: number | null
  encoding: ReportEncoding
  /** The format of the report; else that of the file. */
  format?: ReportFormat
  /** The language of the workbook; else that of the settings. */
  language?: Language
  spreadsheets: boolean
  /** Why people are looked up, and the legal basis, as `readPurpose` reads it. */
  purpose?: string | null
  /** Whether the file is refused without a purpose. */
  needsPurpose?: boolean
  /** A batch with older answers does not answer for the same bytes any more. */
  freshSince: Date
  /** How the file is to be read, where a person decided it. */
  choice?: ReadOptions
  /** Forces a new batch, even if one of the same bytes exists. It is called in the transaction that makes the batch. */
  made?: (tx: Transaction, batchId: bigint) => Promise<void>
}

export type Submitted = { batchId: bigint; repeated: boolean; sha256: string }

/** Stores a file and makes a batch of it. If a batch of the same bytes exists, that one is returned. */
export const submitFile = (sql: Database, boss: Boss, submission: Submission): Promise<Submitted> =>
  submitOr<never>(sql, boss, submission, async () => null)

/** The same, but of a file that cannot be read `keep` may make something else, for which the file is kept. */
export const submitOr = async <Kept>(
  sql: Database,
  boss: Boss,
  submission: Submission,
  keep: (fileId: bigint, problem: FileProblem) => Promise<Kept | null>,
): Promise<Submitted | Kept> => {
  const file = await storeFile(sql, submission.bytes)
  try {
    return await submitStored(sql, boss, file, submission)
  } catch (problem) {
    if (!(problem instanceof FileProblem)) throw problem
    const kept = await keep(file.id, problem)
    if (kept !== null) return kept
    await dropRefused(sql, file, problem)
    throw problem
  }
}

/** Bytes that were stored before may be in use elsewhere, so they are dropped only once they are quarantined. */
const dropRefused = async (sql: Database, { id, repeated }: StoredFile, { code }: FileProblem): Promise<void> => {
  if (!repeated) await dropFile(sql, id)
  else if (code === 'quarantined') await dropUnneeded(sql, id)
}

/** Makes a batch of a stored file. Of a workbook, the text of its sheet is stored beside it. */
export const submitStored = async (
  sql: Database,
  boss: Boss,
  file: Pick<StoredFile, 'id' | 'sha256'>,
  submission: Omit<Submission, 'bytes'>,
): Promise<Submitted> => {
  const { organizationId, kind, choice = {}, by } = submission
  if (submission.needsPurpose && !submission.purpose) throw new FileProblem(['no_purpose'])
  const request = { kind, choice, remembered: await rememberedColumns(sql, organizationId) }
  const { layout, headers, text } = await readUnderClaim(sql, { fileId: file.id }, () => readStored(sql, file, request))
  return sql.begin(async (tx) => {
    const files = { fileId: text.id, workbookId: text === file ? null : file.id }
    const submitted = await makeBatch(tx, boss, { submission, files, layout })
    await recordAudit(tx, by, submitted.repeated ? 'submit again' : 'submit', `batch ${submitted.batchId}`, {
      sha256: file.sha256,
      ...(submission.purpose && { purpose: submission.purpose }),
    })
    if (headers && choice.columns && !layout.joined)
      await rememberChoice(tx, { organizationId, headers, columns: choice.columns, by })
    if (files.workbookId && submitted.repeated) await dropUnneeded(tx, file.id)
    return { ...submitted, sha256: file.sha256 }
  })
}

/** The layout of a stored file, and the text that its rows are read from: its own, or that of its sheet. */
const readStored = async <File extends { id: bigint }>(sql: Database, file: File, request: ReadRequest) => {
  await using table = await readTable(() => readStoredFile(sql, file.id), request)
  const { layout, headers } = table
  return { layout, headers, text: table.sheet ? await storeFile(sql, table.open()) : file }
}

type NewFiles = { fileId: bigint; workbookId: bigint | null }
type Making = { submission: Omit<Submission, 'bytes'>; files: NewFiles; layout: Layout }

const makeBatch = async (tx: Transaction, boss: Boss, { submission, files, layout }: Making) => {
  const { organizationId, kind, freshSince, purpose = null } = submission
  const same = { organizationId, kind, fileId: files.fileId }
  await retireBatches(tx, same, submission.made ? null : { freshSince, readAs: layout.readAs ?? '', purpose })
  const made = await insertBatch(tx, newBatch(submission, files))
  if (made) await submission.made?.(tx, made)
  const batchId = made ?? (submission.made ? null : await findCurrentBatch(tx, same))
  if (!batchId) throw new Error('The same file is being submitted by someone else: try again')
  if (!made) await keepPurpose(tx, batchId, purpose)
  if (!made && (await wantMore(tx, batchId, submission))) {
    await enqueue(boss, exportQueue, { batchId: String(batchId) }, tx)
  }
  if (made) {
    await recordDialect(tx, made, { dialect: layout.dialect, layout, documentsPerRow: documentsPerRow(layout) })
    await enqueue(boss, importQueue, { batchId: String(made) }, tx)
  }
  return { batchId, repeated: !made }
}

const newBatch = ({ by, fileName, ...submission }: Omit<Submission, 'bytes'>, files: NewFiles) => ({
  ...submission,
  ...files,
  submittedBy: by,
  name: plainName(fileName),
  fileName: fileName.replaceAll('\0', ''),
})

/**
 * A name from outside becomes part of a path: letters, digits and a few signs, never a separator. Its start must not
 * hide the file, be an option of a command, or be a device of Windows.
 */
export const plainName = (fileName: string): string => {
  const base = basename(fileName.replaceAll('\\', '/'))
  const stem = base.slice(0, base.length - extname(base).length) || base
  const plain = stem
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} ._-]+/gu, '_')
    .replace(/^[.\s-]+/, '')
  const short = shortened(plain).replace(/[.\s]+$/, '')
  return devices.test(short) ? `_${short}` : short || 'file'
}

const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Keeps characters intact. A disk allows names of 255 bytes, and the files of a batch add some thirty to theirs. */
const shortened = (name: string): string => {
  const letters = [...name].slice(0, 80)
  while (Buffer.byteLength(letters.join('')) > 200) letters.pop()
  return letters.join('')
}

/** `purpose` of the settings. */
export type PurposeTerms = { default: string | null; required: boolean }

/** The purpose of a file: what was given, else that of the settings. If there is none and one is required, it refuses. */
export const purposeFor = (terms: PurposeTerms, given?: string): string | null => {
  const purpose = readPurpose(given) ?? terms.default
  if (purpose === null && terms.required) throw new FileProblem(['no_purpose'])
  return purpose
}

/** The columns that people of an organization chose, by headers. */
export const rememberedColumns = async (sql: Sql, organizationId: number): Promise<RememberedColumns[]> =>
  (await readColumnChoices(sql, organizationId)) as RememberedColumns[]

type Choice = { organizationId: number; headers: readonly string[]; columns: ColumnNames; by: string }

/** Remembers a choice for the next file with these headers, unless a row with documents was used as the header. */
export const rememberChoice = async (tx: Sql, { organizationId, headers, columns, by }: Choice): Promise<void> => {
  if (headers.some(mayBeDocument)) return
  const names = headers.map((header) => header.trim())
  const kept = { organizationId, headers: names, key: headersKey(headers), columns }
  const id = await saveColumnChoice(tx, { ...kept, by, now: new Date() })
  if (id) await recordAudit(tx, by, 'choose columns', `columns ${id}`, { columns: kept.columns })
}

export const forgetChoice = (sql: Database, id: bigint, by: string): Promise<void> =>
  sql.begin(async (tx) => {
    if (!(await dropColumnChoice(tx, id))) throw new BatchRefusal(['no_choice', id])
    await recordAudit(tx, by, 'forget columns', `columns ${id}`)
  })
