import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { batchOrRefuse, partOrRefuse } from '../../batches/batch-or-refuse.ts'
import { makeDownloadFolder } from '../../batches/download-folder.ts'
import { exportBatch, exportWorkbook } from '../../batches/export.ts'
import { maskDocuments } from '../../domain/mask-documents.ts'
import { isLanguage, type Language } from '../../messages/languages.ts'
import { notFound, Refusal } from '../../operations/operation.ts'
import { findSpreadsheet } from '../../store/batches/results.ts'
import { recordAudit } from '../../store/people/audit.ts'
import { idIn, lineIn, queryText } from '../address.ts'
import { type Pages, sendDownload, type Visit } from '../visit.ts'

const files = {
  workbook: 'report.xlsx',
  report: 'report.csv',
  rejects: 'rejects.csv',
  manifest: 'manifest.json',
} as const

type FileName = keyof typeof files
export const fileNames = Object.keys(files)

/**
 * Sends a file of a batch as of now. It is a stream and no answer, so it is no operation. It is written from the database, so that every worker can serve it and no text that
 * a person typed becomes a path.
 */
export const addDownloads = ({ page }: Pages, prefix = ''): void =>
  page('analyst', `${prefix}/batches/:batch/files/:what`, async (visit) => {
    const { request, reply, sql, by } = visit
    const what = queryText(request.params, 'what') as FileName
    if (!Object.hasOwn(files, what)) throw notFound('file')
    const id = idIn(request.params, 'batch')
    const folder = await makeDownloadFolder()
    const clearAway = () => rm(folder, { recursive: true, force: true })
    try {
      const language = languageOf(queryText(request.query, 'language'))
      const { path, name } = await writeFile(visit, id, { what, folder, language })
      await recordAudit(sql, by, 'download', `batch ${id}`, { file: what })
      const stream = createReadStream(path)
      stream.once('close', clearAway)
      reply.header('content-length', (await stat(path)).size)
      return sendDownload(reply, `${savedName(name)}.${id}.${files[what]}`, stream)
    } catch (error) {
      await clearAway()
      throw error
    }
  })

type Wanted = { what: FileName; folder: string; language: Language | undefined }

const writeFile = async ({ sql, clock, settings }: Visit, id: bigint, { what, folder, language }: Wanted) => {
  const options = { folder, now: clock(), settings, language }
  if (what === 'workbook') {
    const { workbook, name } = await exportWorkbook(sql, id, options)
    return { path: workbook, name }
  }
  const { report, rejects, manifestPath, manifest } = await exportBatch(sql, id, { ...options, format: 'csv' })
  return { path: { report, rejects, manifest: manifestPath }[what], name: manifest.name }
}

const languageOf = (text = ''): Language | undefined => {
  if (text === '' || isLanguage(text)) return text || undefined
  throw new Refusal(422, 'wrong_request', ['no_language', JSON.stringify(text.slice(0, 40))])
}

/** A masked document contains characters that file names may not. */
const savedName = (name: string): string => maskDocuments(name).replace(/[*/]/g, '_')

/** Forwards the registry's own spreadsheet of a row. It is fetched on request and not stored; a stream, too. */
export const addSpreadsheet = ({ page }: Pages): void =>
  page(
    'analyst',
    '/batches/:batch/rows/:line/spreadsheet',
    async ({ request, reply, sql, log, by, openSpreadsheet }) => {
      const [id, line] = [idIn(request.params, 'batch'), lineIn(request.params)]
      const part = partOrRefuse(await batchOrRefuse(sql, id), queryText(request.query, 'column')) ?? 0
      const found = await findSpreadsheet(sql, id, { line, part })
      if (!found) throw notFound('spreadsheet')
      const stream = await openSpreadsheet(found).catch((error) => {
        log.warn({ err: error, batch: id, line }, 'spreadsheet not fetched')
        throw new Refusal(409, 'no_spreadsheet', 'The registry cannot provide its spreadsheet now')
      })
      await recordAudit(sql, by, 'download', `batch ${id} line ${line}`, { file: 'spreadsheet' })
      return sendDownload(reply, `${id}-${line}.xlsx`, stream)
    },
  )
