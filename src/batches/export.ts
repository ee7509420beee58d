import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { ReportEncoding, ReportFormat } from '../domain/batch.ts'
import { decodeText } from '../files/csv/encoding.ts'
import type { Home } from '../home/folders.ts'
import { workbookLabels } from '../messages/labels.ts'
import type { Batch } from '../store/batches/batches.ts'
import { listSpreadsheets, type SpreadsheetRow, streamResults } from '../store/batches/results.ts'
import type { Database, Sql } from '../store/connect.ts'
import { documentColumns } from '../views/own-row.ts'
import { type AtomicFile, beginAtomicFile, publishFile, writeAtomically } from './atomic-file.ts'
import { createCsvResults, createReportWriter, rejectHeaders, resultHeaders } from './csv-results.ts'
import { formatOf, layoutOf } from './layout.ts'
import { type Manifest, manifestOf, readSpend, type Spend } from './manifest.ts'
import { assertConserved, inTurn, languageOfReport, type ReportOptions, type Sources, sumOf } from './report-turn.ts'
import { ResultRow } from './result-row.ts'
import { sliceText } from './sliced-text.ts'
import { readStoredFile } from './stored-file.ts'
import { writeReportWorkbook } from './workbook/write-report.ts'

type ExportOptions = ReportOptions & {
  encoding?: ReportEncoding
  /** Without one: the format that was asked for with the batch, else that of its file. */
  format?: ReportFormat
}
type Exported = {
  folder: string
  report: string
  rejects: string
  /** Null where none was wanted. */
  workbook: string | null
  manifest: Manifest
  manifestPath: string
}

/**
 * Writes the files of a batch as of now: report, rejects, manifest, and, where it is wanted, the report as a workbook.
 *
 * The rows of the database are joined with the text of the stored file, in its order and in flat memory. A row that ends
 * meanwhile may be open in one file and not in another: each file adds up, and says whether it is complete. Files whose counts do not add up are not published, and each file appears complete or not at all.
 */
export const exportBatch = (sql: Database, batchId: bigint, options: ExportOptions): Promise<Exported> =>
  inTurn(sql, batchId, options, async (sources, batch, place) => {
    const wanted = (options.format ?? formatOf(batch)) === 'xlsx'
    const workbook = wanted ? place('report.xlsx') : null
    const paths = { report: place('report.csv'), rejects: place('rejects.csv'), manifestPath: place('manifest.json') }
    const manifest = await writeFiles(sources, batch, { ...paths, workbook }, options)
    // A workbook of an earlier export would contradict the new report beside it.
    if (!workbook) await rm(place('report.xlsx'), { force: true })
    return { folder: options.folder, ...paths, workbook, manifest }
  })

type Paths = { report: string; rejects: string; manifestPath: string; workbook: string | null }

const writeFiles = async (sources: Sources, batch: Batch, paths: Paths, options: ExportOptions): Promise<Manifest> => {
  await using report = await beginAtomicFile(paths.report)
  await using rejects = await beginAtomicFile(paths.rejects)
  await using workbook = paths.workbook === null ? null : await beginAtomicFile(paths.workbook)
  await using summary = await beginAtomicFile(paths.manifestPath)
  const spend = await readSpend(sources.tx, batch)
  const { states, lost } = await writeRows(sources, batch, { report, rejects }, options)
  const shown = workbook ? await writeSheets(sources, batch, workbook, spend, options) : states
  const complete = !states.has('pending') && !shown.has('pending')
  const written = { report: await report.publish(), rejects: await rejects.publish() }
  const all = workbook ? { ...written, workbook: await workbook.publish() } : written
  const manifest = manifestOf(batch, states, all, { now: options.now, complete, lost, spend })
  await summary.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  await summary.publish()
  return manifest
}

const writeRows = async (
  { tx, sql }: Sources,
  batch: Batch,
  files: { report: AtomicFile; rejects: AtomicFile },
  options: ExportOptions,
): Promise<{ states: Map<string, number>; lost: number }> => {
  const { encoding = batch.encoding, settings } = options
  const layout = layoutOf(batch)
  const text = sliceText(decodeText(readStoredFile(sql, batch.fileId!), layout.dialect))
  const above = layout.dialect.headerLine ? Buffer.from(await text.reach(0, layout.header!.start)) : null
  const header = layout.header && Buffer.from(await text.reach(layout.header.start, layout.header.end))
  const report = createReportWriter(files.report, layout, encoding)
  const rejects = createReportWriter(files.rejects, layout, encoding)
  await report.begin({ above, header }, resultHeaders(batch.kind, documentColumns(batch)))
  await rejects.begin({ above, header }, rejectHeaders)
  const row = new ResultRow(batch.kind)
  const { formatMessage } = workbookLabels(languageOfReport(batch, options))
  const cells = createCsvResults(row, batch.kind, layout, formatMessage)
  const states = new Map<string, number>()
  const { kind, documentsPerRow } = batch
  const rejection = row.at('rejection')
  for await (const bytes of streamResults(tx, batch.id, { kind, documentsPerRow, timezone: settings.timezone })) {
    row.feed(bytes)
    while (row.next()) {
      const { start, part } = row
      const end = start + row.size
      const raw = text.slice(start, end) ?? (await text.reach(start, end))
      const state = row.text(row.at('state'))
      states.set(state, (states.get(state) ?? 0) + 1)
      const isRejected = !row.isEmpty(rejection)
      if (isRejected && row.text(rejection) === 'beside') continue
      const writer = isRejected ? rejects : report
      if (isRejected || part === 0) writer.beginRow(raw)
      writer.addCells(isRejected ? cells.reject() : cells.report(raw))
      const ends = isRejected || part === documentsPerRow - 1
      if (ends && writer.endRow()) await Promise.all([report.flush(), rejects.flush()])
    }
  }
  await text.close()
  await Promise.all([report.flush(), rejects.flush()])
  assertConserved(batch, report.rows, rejects.rows, states)
  return { states, lost: report.lost + rejects.lost }
}

/** The default folder for the files of a batch. */
export const outboxFolder = ({ outbox }: Home, { name, id }: { name: string; id: bigint }): string =>
  join(outbox, `${name}.${id}`)

export const exportWorkbook = (
  sql: Database,
  batchId: bigint,
  options: ReportOptions,
): Promise<{ name: string; workbook: string }> =>
  inTurn(sql, batchId, options, async (sources, batch, place) => {
    const workbook = place('report.xlsx')
    const spend = await readSpend(sources.tx, batch)
    await publishFile(workbook, (file) => writeSheets(sources, batch, file, spend, options))
    return { name: batch.name, workbook }
  })

/** Writes the sheets of a batch into an unpublished file. Returns its rows by state, and throws if they do not add up. */
const writeSheets = async (
  sources: Sources,
  batch: Batch,
  file: AtomicFile,
  spend: Spend,
  options: ReportOptions,
): Promise<Map<string, number>> => {
  const { now, settings } = options
  const { timezone, budget } = settings
  const language = languageOfReport(batch, options)
  const written = { language, timezone, now, prices: budget.unitPrice, spend }
  const { states, rejected } = await writeReportWorkbook(sources, batch, file, written)
  assertConserved(batch, sumOf(states) / batch.documentsPerRow - rejected, rejected, states)
  return states
}

type SaveOptions = {
  /** The batch's own folder; the spreadsheets go into a folder below it. */
  folder: string
  open: (row: SpreadsheetRow) => Promise<AsyncIterable<Uint8Array>>
  signal: AbortSignal
}

/**
 * Saves the registry's spreadsheet of each row, under the name `<line>-<id>.xlsx`.
 *
 * If one cannot be fetched, a text file with the reason takes its place. Existing ones are not fetched again. The
 * signal ends it early.
 */
export const saveSpreadsheets = async (sql: Sql, batchId: bigint, options: SaveOptions) => {
  const folder = join(options.folder, 'spreadsheets')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const present = new Set(await readdir(folder))
  const bound = pLimit(atOnce)
  let saved = 0
  let failed = 0
  for (let after = { line: 0, part: 0 }; ; ) {
    const rows = await listSpreadsheets(sql, batchId, after, page)
    const wanted = rows.filter((row) => !present.has(`${nameOf(row)}.xlsx`))
    const outcomes = await Promise.all(wanted.map((row) => bound(() => save(row, folder, options))))
    saved += outcomes.filter((outcome) => outcome).length
    failed += outcomes.filter((outcome) => !outcome).length
    after = rows.at(-1) ?? after
    if (rows.length < page || options.signal.aborted) return { saved, failed }
  }
}

const page = 1_000
const atOnce = 4

const save = async (row: SpreadsheetRow, folder: string, { open, signal }: SaveOptions): Promise<boolean> => {
  if (signal.aborted) return false
  const path = join(folder, nameOf(row))
  try {
    const bytes = await open(row)
    await writeAtomically(`${path}.xlsx`, bytes)
    return true
  } catch (error) {
    if (!signal.aborted) await writeFile(`${path}.failed.txt`, `${(error as Error).message}\n`, { mode: 0o600 })
    return false
  }
}

/** The registry chooses its ids, so only letters, digits, `_` and `-` of them become part of a path. */
const nameOf = ({ line, remoteId }: SpreadsheetRow): string =>
  `${line}-${remoteId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)}`
