import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { UnitPrices } from '../domain/amount.ts'
import type { ReportFormat } from '../domain/batch.ts'
import type { Language } from '../domain/languages.ts'
import type { Said } from '../domain/said/said.ts'
import { decodeText } from '../files/csv/encoding.ts'
import type { Home } from '../home/folders.ts'
import { type Batch, readBatch } from '../store/batches/batches.ts'
import { resultColumns, streamResults } from '../store/batches/results.ts'
import type { Database, Sql } from '../store/connect.ts'
import { callsOf, countUnknownCharges } from '../store/lookups/lookups.ts'
import { layoutOf } from './layout.ts'
import { type Manifest, manifestOf, manifestSpend } from './manifest.ts'
import { formatOf } from './report-format.ts'
import { ReportWriter } from './report-writer.ts'
import { readResultLines } from './result-lines.ts'
import { SlicedText } from './sliced-text.ts'
import { BatchRefusal } from './steer.ts'
import { readStoredFile } from './stored-file.ts'
import { WholeFile } from './whole-file.ts'
import { type Sources, writeReportWorkbook } from './workbook/write-report.ts'

type ExportOptions = {
  folder: string
  timezone: string
  now: Date
  encoding?: 'utf8' | 'same'
  /** Unless the batch was asked for otherwise, its report is what its file was. */
  format?: ReportFormat
  language?: Language
  defaults?: ReportDefaults
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

/** What the settings say about every report. */
export type ReportDefaults = { language: Language; prices: UnitPrices | null }

export const reportDefaults = ({ language, budget }: ReportSettings): ReportDefaults => ({
  language,
  prices: budget.unitPrice,
})

export type ReportSettings = { language: Language; budget: { unitPrice: UnitPrices | null } }

/**
 * Writes the files of a batch as of now: report, rejects, manifest, and the report as a workbook where that is wanted.
 *
 * One snapshot of the database is joined with the stored file's own text, in the order of the file and in flat memory.
 * Nothing appears that does not add up, and nothing appears by halves.
 */
export const exportBatch = (sql: Database, batchId: bigint, options: ExportOptions): Promise<Exported> =>
  inSnapshot(sql, batchId, options, async (sources, batch, place) => {
    const wanted = (options.format ?? formatOf(batch)) === 'xlsx'
    const workbook = wanted ? place('report.xlsx') : null
    const paths = { report: place('report.csv'), rejects: place('rejects.csv'), manifestPath: place('manifest.json') }
    const manifest = await writeFiles(sources, batch, { ...paths, workbook }, options)
    return { folder: options.folder, ...paths, workbook, manifest }
  })

/** Writes the workbook alone. */
export const exportWorkbook = (
  sql: Database,
  batchId: bigint,
  options: Omit<ExportOptions, 'format' | 'encoding'>,
): Promise<{ name: string; workbook: string }> =>
  inSnapshot(sql, batchId, options, async (sources, batch, place) => {
    const workbook = place('report.xlsx')
    const file = await WholeFile.begin(workbook)
    try {
      await writeSheets(sources, batch, file, await readSpend(sources.tx, batch), options)
      await file.publish()
      return { name: batch.name, workbook }
    } catch (error) {
      await file.discard()
      throw error
    }
  })

const inSnapshot = <T>(
  sql: Database,
  batchId: bigint,
  { folder }: Pick<ExportOptions, 'folder'>,
  write: (sources: Sources, batch: Batch, place: (ending: string) => string) => Promise<T>,
): Promise<T> =>
  sql.begin('isolation level repeatable read read only', async (tx) => {
    const batch = await readBatch(tx, batchId)
    if (!batch?.fileId) throw new BatchRefusal(['no_batch', batchId])
    if (!batch.importedAt) throw new BatchRefusal(notYet(batch))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return write({ tx, sql }, batch, (ending) => join(folder, `${batch.name}.${ending}`))
  }) as Promise<T>

type Paths = { report: string; rejects: string; manifestPath: string; workbook: string | null }

const writeFiles = async (sources: Sources, batch: Batch, paths: Paths, options: ExportOptions): Promise<Manifest> => {
  const files: WholeFile[] = []
  const begin = async (path: string): Promise<WholeFile> => {
    const file = await WholeFile.begin(path)
    files.push(file)
    return file
  }
  try {
    const [report, rejects] = [await begin(paths.report), await begin(paths.rejects)]
    const workbook = paths.workbook && (await begin(paths.workbook))
    const summary = await begin(paths.manifestPath)
    const spend = await readSpend(sources.tx, batch)
    const { states, lost } = await writeRows(sources, batch, { report, rejects }, options)
    if (workbook) await writeSheets(sources, batch, workbook, spend, options)
    const written = { report: await report.publish(), rejects: await rejects.publish() }
    const all = workbook ? { ...written, workbook: await workbook.publish() } : written
    const manifest = manifestOf(batch, states, all, { now: options.now, lost, spend })
    await summary.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
    await summary.publish()
    return manifest
  } catch (error) {
    await Promise.all(files.map((file) => file.discard()))
    throw error
  }
}

const readSpend = async (tx: Sql, batch: Batch): Promise<Manifest['spend']> =>
  manifestSpend(batch, await callsOf(tx, batch.id), await countUnknownCharges(tx, batch.id))

const writeSheets = async (
  sources: Sources,
  batch: Batch,
  file: WholeFile,
  spend: Manifest['spend'],
  { timezone, now, language, defaults }: ExportOptions,
): Promise<void> => {
  const { prices, ...settings } = defaults ?? { language: 'pt-BR' as const, prices: null }
  const wording = { language: language ?? batch.language ?? settings.language, timezone, now, prices, spend }
  const states = await writeReportWorkbook(sources, batch, file, wording)
  const rejected = states.get('rejected') ?? 0
  assertConserved(batch, sumOf(states) - rejected, rejected, states)
}

const writeRows = async (
  { tx, sql }: Sources,
  batch: Batch,
  files: { report: WholeFile; rejects: WholeFile },
  { encoding = batch.encoding, timezone }: ExportOptions,
): Promise<{ states: Map<string, number>; lost: number }> => {
  const layout = layoutOf(batch)
  const { delimiter, decimal } = layout.dialect
  const text = new SlicedText(decodeText(readStoredFile(sql, batch.fileId!), layout.dialect))
  const header = layout.header && Buffer.from(await text.reach(layout.header.start, layout.header.end))
  const report = new ReportWriter(files.report, layout, encoding)
  const rejects = new ReportWriter(files.rejects, layout, encoding)
  await report.begin(header, resultColumns(batch.kind))
  await rejects.begin(header, ['reject_line', 'reject_reason', 'reject_detail'])
  const results = streamResults(tx, batch.id, { kind: batch.kind, delimiter, decimal, timezone })
  const states = await joinRows(results, text, report, rejects)
  await text.close()
  await Promise.all([report.flush(), rejects.flush()])
  assertConserved(batch, report.rows, rejects.rows, states)
  return { states, lost: report.lost + rejects.lost }
}

const joinRows = async (
  results: AsyncIterable<Buffer>,
  text: SlicedText,
  report: ReportWriter,
  rejects: ReportWriter,
): Promise<Map<string, number>> => {
  const states = new Map<string, number>()
  for await (const lines of readResultLines(results)) {
    for (const { start, size, state, cells } of lines) {
      const raw = text.slice(start, start + size) ?? (await text.reach(start, start + size))
      states.set(state, (states.get(state) ?? 0) + 1)
      const writer = state === 'rejected' ? rejects : report
      if (writer.add(raw, cells)) await writer.flush()
    }
  }
  return states
}

/** Every row comes back: a report that does not add up is never published. */
const assertConserved = (batch: Batch, reported: number, rejected: number, states: Map<string, number>): void => {
  const counted = sumOf(states)
  if (reported + rejected === batch.rows && rejected === batch.rejected && counted === batch.rows) return
  throw new Error(
    `Batch ${batch.id} does not add up: ${batch.rows} rows (${batch.rejected} rejected), but ${reported} reported and ${rejected} rejected`,
  )
}

const sumOf = (states: Map<string, number>): number => [...states.values()].reduce((sum, rows) => sum + rows, 0)

const notYet = ({ id, state, problem, said }: Batch): Said =>
  state === 'rejected' ? ['batch_rejected', id, said ?? ['text', problem ?? '']] : ['importing', id]

/** Where the files of a batch go unless a person says otherwise. */
export const outboxFolder = ({ outbox }: Home, { name, id }: { name: string; id: bigint }): string =>
  join(outbox, `${name}.${id}`)
