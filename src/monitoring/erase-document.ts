import { rm } from 'node:fs/promises'
import { outboxFolder } from '../batches/export.ts'
import type { Layout } from '../batches/layout.ts'
import { readStoredFile, rewriteFile } from '../batches/stored-file.ts'
import { formatDocument, maskDocument } from '../domain/document.ts'
import type { Boss } from '../queue/boss.ts'
import { bossSchema } from '../queue/boss-tables.ts'
import { exportQueue } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
import { readBatch } from '../store/batches/batches.ts'
import { countEnded, findComplete, finishBatches } from '../store/batches/counts.ts'
import { dropUploads } from '../store/batches/uploads.ts'
import { besideAnother } from '../store/beside-another.ts'
import type { Database, Transaction } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import {
  batchesOfLookups,
  dropWorkbooks,
  endOpenLookups,
  eraseLookups,
  eraseMonitoring,
  erasePurchases,
  isUnsettled,
  lockLookupsAbout,
  oweReports,
  scrubTexts,
  storedLayouts,
} from '../store/people/erase.ts'
import { forgetLooks, personKey } from '../store/people/person-key.ts'
import { blankRecords, recordsAbout } from './blank-records.ts'
import { type ErasedFiles, eraseFromFiles } from './erase-files.ts'
import { uploadsAbout } from './erase-uploads.ts'
import { workbooksAbout } from './erase-workbooks.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import { SweepRefusal } from './sweep.ts'

export type Erasure = {
  lookups: number
  batches: bigint[]
  storedFiles: number
  /** Organizations whose radar list had the person: while it does, the next sweep brings them back. */
  monitoredBy: bigint[]
  /** Portfolios whose list had the person: another list that names them brings them back. */
  portfolios: string[]
  files: ErasedFiles
}

type Tools = Pick<MonitoringTools, 'sql' | 'home' | 'clock'> & { boss: Boss }

/**
 * Removes every trace of a person and keeps the accounting.
 *
 * Reports that hold the person are deleted and written anew without them. The whole may be run again: it looks for what
 * is there, not for what it remembers. Out of its reach are reports that someone wrote elsewhere, backups, and the
 * registry itself.
 */
export const eraseDocument = async (tools: Tools, document: string, by: string): Promise<Erasure> => {
  const { sql, home } = tools
  const texts = writtenAs(document)
  const files = await eraseFromFiles(home, document, texts)
  const rewrites = await findRewrites(sql, document, texts)
  const workbooks = await workbooksAbout(sql, document, texts)
  const uploads = await uploadsAbout(sql, document, texts)
  const eraseAll = async (tx: Transaction) => {
    // First: it reads over another connection, and those who wait for a look-up that is locked may have them all.
    for (const { fileId, layout, ranges } of rewrites) {
      await rewriteFile(tx, fileId, blankRecords(readStoredFile(sql, fileId), layout.dialect, ranges))
    }
    const lookups = await takeLookups(tx, tools, document)
    const linked = await batchesOfLookups(tx, lookups)
    // All of them: they wait for a day at most, and whoever handed one in has it still.
    await dropUploads(tx, tools.clock())
    const unbooked = await dropWorkbooks(
      tx,
      workbooks.map(({ fileId }) => fileId),
    )
    const batches = [...new Set([...linked, ...unbooked, ...rewrites.flatMap(({ batchIds }) => batchIds)])]
    await dropReports(tx, tools, batches)
    await eraseLookups(tx, lookups)
    await erasePurchases(tx, document)
    const { monitoredBy, portfolios } = await eraseMonitoring(tx, document)
    await forgetLooks(tx, await personKey(tx, document))
    await scrubTexts(tx, [...texts, maskDocument(document)], scrubbedSchemas)
    for (const { id } of await oweReports(tx, batches))
      await enqueue(tools.boss, exportQueue, { batchId: String(id) }, tx)
    const storedFiles = rewrites.length + workbooks.length + uploads.length
    const counts = { lookups: lookups.length, batches: batches.length, storedFiles }
    await recordAudit(tx, by, 'erase', 'a person', counts)
    return { lookups: lookups.length, batches, storedFiles, monitoredBy, portfolios }
  }
  const erased = await besideAnother(sql, async () => sql.begin(eraseAll))
  return { ...erased, files }
}

/** A paid call on its way cannot be taken back, and its answer must find its look-up; one in doubt keeps others from paying again. */
const takeLookups = async (tx: Transaction, { clock, boss }: Tools, document: string): Promise<bigint[]> => {
  const ids = await lockLookupsAbout(tx, document)
  if (await isUnsettled(tx, ids)) throw new SweepRefusal(['call_underway'])
  const ended = await endOpenLookups(tx, ids, clock())
  const touched = await countEnded(
    tx,
    ended.map(({ id }) => id),
  )
  const finished = await finishBatches(tx, await findComplete(tx, touched), clock())
  for (const id of finished) await enqueue(boss, exportQueue, { batchId: String(id) }, tx)
  return ids
}

/** The ways in which a document is written in texts and files. */
export const writtenAs = (document: string): string[] => [document, formatDocument(document)]

export const scrubbedSchemas = ['vigia', bossSchema]

type Rewrite = { fileId: bigint; batchIds: bigint[]; layout: Layout; ranges: { start: number; end: number }[] }

/** The stored files that have rows about a person, or rows that merely mention them. */
export const findRewrites = async (sql: Database, document: string, texts: string[]): Promise<Rewrite[]> => {
  const rewrites: Rewrite[] = []
  for (const { fileId, batchIds, layout } of await storedLayouts(sql)) {
    const known = layout as Layout
    const ranges = await recordsAbout(readStoredFile(sql, fileId), known, document, texts)
    if (ranges.length > 0) rewrites.push({ fileId, batchIds, layout: known, ranges })
  }
  return rewrites
}

const dropReports = async (tx: Transaction, { home }: Tools, batchIds: bigint[]): Promise<void> => {
  for (const id of batchIds) {
    const batch = await readBatch(tx, id)
    if (batch) await rm(outboxFolder(home, batch), { recursive: true, force: true })
  }
}
