import { beginsWithDocument, isMostlyAsked } from '../files/columns/by-content.ts'
import { nameOrNumber, rolesByPlace } from '../files/columns/find-columns.ts'
import { findHeader, likelyHeader, type ReadRequest } from '../files/columns/find-header.ts'
import type { ReadOptions } from '../files/columns/read-options.ts'
import { type ColumnRole, roleOf } from '../files/columns/roles.ts'
import type { CsvRecord } from '../files/csv/record-parser.ts'
import { FileProblem } from '../files/file-problem.ts'
import type { Boss } from '../queue/boss.ts'
import { dropUnneeded } from '../store/batches/files.ts'
import {
  dismissRejected,
  dropRejected,
  dropUpload,
  insertRejected,
  insertUpload,
  type Upload,
} from '../store/batches/uploads.ts'
import type { Database } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import { BatchRefusal } from './batch-or-refuse.ts'
import { nullIfUnreadable, readTableTop } from './read-layout.ts'
import { readStoredFile, readUnderClaim } from './stored-file.ts'
import { rememberedColumns, type Submission, type Submitted, submitOr, submitStored } from './submit.ts'

/** Makes a batch of a file, or keeps the file until a person has assigned its columns. */
export const submitOrKeep = (
  sql: Database,
  boss: Boss,
  submission: Submission,
): Promise<Submitted | { upload: bigint }> =>
  submitOr(sql, boss, submission, async (fileId, { asksForChoice }) => {
    const { fileName, by: uploadedBy } = submission
    if (!asksForChoice) return null
    return { upload: await insertUpload(sql, { ...submission, fileId, fileName, uploadedBy, replaces: null }) }
  })

/** Makes a batch of a file of the inbox. One that cannot be read is listed on the page, and kept if a choice would help. */
export const submitOrList = async (sql: Database, boss: Boss, submission: Submission): Promise<Submitted> => {
  const submitted = await submitOr(sql, boss, submission, async (stored, problem) => {
    const fileId = problem.asksForChoice || problem.code === 'no_purpose' ? stored : null
    await sql.begin((tx) => insertRejected(tx, { ...submission, fileId, problem: problem.reason }))
    return fileId === null ? null : problem
  })
  if (submitted instanceof FileProblem) throw submitted
  await sql.begin((tx) => dropRejected(tx, submission))
  return submitted
}

/** Makes a batch of a kept file after a person has assigned its columns. */
export const submitUpload = async (
  sql: Database,
  boss: Boss,
  upload: Upload,
  more: Pick<Submission, 'by' | 'choice' | 'purpose' | 'freshSince'>,
): Promise<Submitted> => {
  const submitted = await submitStored(
    sql,
    boss,
    { id: upload.fileId, sha256: upload.sha256 },
    {
      ...upload,
      ...more,
      format: upload.format ?? undefined,
      language: upload.language ?? undefined,
      organizationId: Number(upload.organizationId),
      source: 'page',
      confirmAbove: -1,
      spreadsheets: false,
    },
  )
  await dropUpload(sql, upload.id)
  await dropUnneeded(sql, upload.fileId)
  return submitted
}

/** The first rows of a kept file, and the likely role of each column. */
export const previewUpload = async (sql: Database, upload: Upload, choice: ReadOptions) => {
  const remembered = await rememberedColumns(sql, Number(upload.organizationId))
  const request = { kind: upload.kind, choice, remembered }
  return readUnderClaim(sql, upload, () => previewStored(sql, upload, request))
}

const previewStored = async (sql: Database, upload: Upload, request: ReadRequest) => {
  await using table = await readTableTop(() => readStoredFile(sql, upload.fileId), request)
  const { sample } = table
  if (sample.length === 0) throw new FileProblem(['file_empty'])
  const header = sample[headerOf(sample, request)] ?? null
  const rows = header ? sample.slice(sample.indexOf(header) + 1) : sample
  const width = Math.max(...(header ? [header] : sample).map(({ cells }) => cells.length))
  const names = Array.from({ length: width }, (_, at) => nameOrNumber(header?.cells ?? [], at))
  return {
    sheet: table.sheet?.name ?? null,
    sheets: table.sheet?.sheets ?? [],
    /** The sheets with documents that are not read. */
    unread: table.sheet?.unread ?? [],
    rows,
    /** Null: the file has no header. */
    header,
    /** How each column is named: by its header, or by its number. */
    names,
    /** For each column: by its name, or by its cells. */
    roles: rolesOf(rows, header, names, { sample, request }),
  }
}

export type UploadPreview = Awaited<ReturnType<typeof previewUpload>>

/** Takes a rejected file off the list. */
export const dismissFile = (sql: Database, id: bigint, by: string): Promise<void> =>
  sql.begin(async (tx) => {
    if (!(await dismissRejected(tx, id))) throw new BatchRefusal(['no_upload', id])
    await recordAudit(tx, by, 'dismiss file', `file ${id}`)
  })

/** The position of the header; -1: there is none. */
const headerOf = (sample: readonly CsvRecord[], request: ReadRequest): number => {
  const { headerLine } = request.choice
  if (headerLine === 0) return -1
  if (headerLine !== undefined) {
    const at = sample.findIndex(({ line }) => line >= headerLine)
    return at < 0 ? sample.length - 1 : at
  }
  const found = nullIfUnreadable(() => findHeader(sample, request))
  if (found) return found.at ?? -1
  return beginsWithDocument(sample, request.kind) ? -1 : likelyHeader(sample, request.kind)
}

const rolesOf = (
  rows: readonly CsvRecord[],
  header: CsvRecord | null,
  names: readonly string[],
  { sample, request }: { sample: readonly CsvRecord[]; request: ReadRequest },
): (ColumnRole | null)[] => {
  const { kind } = request
  const choice = { headerLine: header?.line ?? 0 }
  const found = nullIfUnreadable(() => rolesByPlace(findHeader(sample, { ...request, choice }).columns))
  const asked: ColumnRole = kind === 'inactivation' ? 'processo' : 'documento'
  const offered = names.findIndex((_, at) => isMostlyAsked(rows, at, kind))
  return names.map((name, at) => {
    if (found) return found.get(at) ?? null
    return offered === at ? asked : (roleOf(name)?.role ?? null)
  })
}
