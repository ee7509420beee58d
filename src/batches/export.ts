import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Said } from '../domain/said/said.ts'
import { decodeText } from '../files/csv/encoding.ts'
import type { Home } from '../home/folders.ts'
import { type Batch, readBatch } from '../store/batches/batches.ts'
import { resultColumns, streamResults } from '../store/batches/results.ts'
import type { Database, Sql } from '../store/connect.ts'
import { callsOf, countUnknownCharges } from '../store/lookups/lookups.ts'
import { layoutOf } from './layout.ts'
import { type Manifest, manifestOf } from './manifest.ts'
import { ReportWriter } from './report-writer.ts'
import { readResultLines } from './result-lines.ts'
import { SlicedText } from './sliced-text.ts'
import { BatchRefusal } from './steer.ts'
import { readStoredFile } from './stored-file.ts'
import { WholeFile } from './whole-file.ts'

type ExportOptions = { folder: string; timezone: string; now: Date; encoding?: 'utf8' | 'same' }
type Exported = { folder: string; report: string; rejects: string; manifest: Manifest; manifestPath: string }

/**
 * Writes the three files of a batch as of now: report, rejects, manifest.
 *
 * One snapshot of the database is joined with the stored file's own text, in the order of the file and in flat memory.
 * Nothing appears that does not add up, and nothing appears by halves.
 */
export const exportBatch = async (sql: Database, batchId: bigint, options: ExportOptions): Promise<Exported> =>
  sql.begin('isolation level repeatable read read only', async (tx) => {
    const batch = await readBatch(tx, batchId)
    if (!batch?.fileId) throw new BatchRefusal(['no_batch', batchId])
    if (!batch.importedAt) throw new BatchRefusal(notYet(batch))
    await mkdir(options.folder, { recursive: true, mode: 0o700 })
    const place = (what: string) => join(options.folder, `${batch.name}.${what}`)
    const paths = { report: place('report.csv'), rejects: place('rejects.csv'), manifestPath: place('manifest.json') }
    const manifest = await writeFiles({ tx, sql }, batch, paths, {
      ...options,
      encoding: options.encoding ?? batch.encoding,
    })
    return { folder: options.folder, ...paths, manifest }
  })

type Paths = { report: string; rejects: string; manifestPath: string }
type Chosen = ExportOptions & { encoding: 'utf8' | 'same' }

/** The snapshot streams its rows over one connection, so the stored file is read over another; it never changes. */
type Sources = { tx: Sql; sql: Database }

const writeFiles = async (sources: Sources, batch: Batch, paths: Paths, options: Chosen): Promise<Manifest> => {
  const files = [
    await WholeFile.begin(paths.report),
    await WholeFile.begin(paths.rejects),
    await WholeFile.begin(paths.manifestPath),
  ]
  const [report, rejects, summary] = files as [WholeFile, WholeFile, WholeFile]
  try {
    const { states, lost } = await writeRows(sources, batch, { report, rejects }, options)
    const written = { report: await report.publish(), rejects: await rejects.publish() }
    const calls = await callsOf(sources.tx, batch.id)
    const unknown = await countUnknownCharges(sources.tx, batch.id)
    const manifest = manifestOf(batch, states, written, { ...options, lost, calls, unknown })
    await summary.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
    await summary.publish()
    return manifest
  } catch (error) {
    await Promise.all(files.map((file) => file.discard()))
    throw error
  }
}

const writeRows = async (
  { tx, sql }: Sources,
  batch: Batch,
  files: { report: WholeFile; rejects: WholeFile },
  { encoding, timezone }: Chosen,
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
  const counted = [...states.values()].reduce((sum, rows) => sum + rows, 0)
  if (reported + rejected === batch.rows && rejected === batch.rejected && counted === batch.rows) return
  throw new Error(
    `Batch ${batch.id} does not add up: ${batch.rows} rows (${batch.rejected} rejected), but ${reported} reported and ${rejected} rejected`,
  )
}

const notYet = ({ id, state, problem, said }: Batch): Said =>
  state === 'rejected' ? ['batch_rejected', id, said ?? ['text', problem ?? '']] : ['importing', id]

/** Where the three files of a batch go unless a person says otherwise. */
export const outboxFolder = ({ outbox }: Home, { name, id }: { name: string; id: bigint }): string =>
  join(outbox, `${name}.${id}`)
