import { namedColumns } from '../files/columns/find-columns.ts'
import { findHeader, likelyHeader, offeredColumns, type ReadRequest } from '../files/columns/find-header.ts'
import type { ReadOptions } from '../files/columns/read-options.ts'
import { type ColumnRole, roleOf } from '../files/columns/roles.ts'
import type { CsvRecord } from '../files/csv/record-parser.ts'
import { FileProblem } from '../files/file-problem.ts'
import type { Boss } from '../queue/boss.ts'
import { dropUnneeded } from '../store/batches/files.ts'
import { dropUpload, insertUpload, type Upload } from '../store/batches/uploads.ts'
import type { Database } from '../store/connect.ts'
import { rememberedColumns } from './column-choices.ts'
import { readTableTop } from './read-table.ts'
import { readUnderClaim } from './read-under-claim.ts'
import { readStoredFile, storeFile } from './stored-file.ts'
import { dropRefused, type Submission, type Submitted, submitStored } from './submit.ts'

/** Makes a batch of a file, or keeps the file until a person has assigned its columns. */
export const submitOrKeep = async (
  sql: Database,
  boss: Boss,
  submission: Submission,
): Promise<Submitted | { upload: bigint }> => {
  const file = await storeFile(sql, submission.bytes)
  try {
    return await submitStored(sql, boss, file, submission)
  } catch (problem) {
    if (problem instanceof FileProblem && problem.asksForChoice) {
      const { fileName, by: uploadedBy } = submission
      return {
        upload: await insertUpload(sql, { ...submission, fileId: file.id, fileName, uploadedBy, replaces: null }),
      }
    }
    if (problem instanceof FileProblem) await dropRefused(sql, file, problem)
    throw problem
  }
}

/** Makes a batch of a kept file after a person has assigned its columns. */
export const submitUpload = async (
  sql: Database,
  boss: Boss,
  upload: Upload,
  more: Pick<Submission, 'by' | 'choice' | 'freshSince'>,
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
export type UploadPreview = {
  sheet: string | null
  sheets: string[]
  rows: CsvRecord[]
  header: CsvRecord
  /** For each column of the header: by its name, or by its cells. */
  roles: (ColumnRole | null)[]
}

export const previewUpload = async (sql: Database, upload: Upload, choice: ReadOptions): Promise<UploadPreview> => {
  const remembered = await rememberedColumns(sql, Number(upload.organizationId))
  const request = { kind: upload.kind, choice, remembered }
  return readUnderClaim(sql, upload, () => previewStored(sql, upload, request))
}

const previewStored = async (sql: Database, upload: Upload, request: ReadRequest): Promise<UploadPreview> => {
  await using table = await readTableTop(() => readStoredFile(sql, upload.fileId), request)
  const { sample } = table
  const at = Math.max(0, Math.min(headerOf(sample, request), sample.length - 1))
  const header = sample[at]
  if (!header) throw new FileProblem('empty', ['file_empty'])
  const sheets = table.sheet?.sheets ?? []
  return {
    sheet: table.sheet?.name ?? null,
    sheets,
    rows: sample.slice(at + 1),
    header,
    roles: rolesOf(sample, at, request),
  }
}

const headerOf = (sample: readonly CsvRecord[], request: ReadRequest): number => {
  const { headerLine } = request.choice
  if (headerLine !== undefined) return sample.findIndex(({ line }) => line >= headerLine)
  return attempted(() => findHeader(sample, request).at) ?? likelyHeader(sample, request.kind)
}

const rolesOf = (sample: readonly CsvRecord[], at: number, request: ReadRequest): (ColumnRole | null)[] => {
  const { cells, line } = sample[at] as CsvRecord
  const found = attempted(() => findHeader(sample, { ...request, choice: { headerLine: line } }).columns)
  const named = found ? Object.entries(namedColumns(found, cells)) : []
  const offered = offeredColumns(sample, at, request.kind)
  const asked: ColumnRole = request.kind === 'inactivation' ? 'processo' : 'documento'
  return cells.map((header) => {
    if (found) return (named.find(([, name]) => name === header)?.[0] as ColumnRole | undefined) ?? null
    return offered[0] === header ? asked : (roleOf(header)?.role ?? null)
  })
}

const attempted = <T>(action: () => T): T | null => {
  try {
    return action()
  } catch (problem) {
    if (problem instanceof FileProblem) return null
    throw problem
  }
}
