import { rm } from 'node:fs/promises'
import { removeAbandonedDownloads } from '../batches/download-folder.ts'
import { outboxFolder } from '../batches/export.ts'
import { readStoredFile, rewriteFile } from '../batches/stored-file.ts'
import { searchFor } from '../domain/person-search.ts'
import type { Boss } from '../queue/boss.ts'
import { bossSchema } from '../queue/boss-tables.ts'
import { exportQueue } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
import { countEnded, findComplete, finishBatches } from '../store/batches/counts.ts'
import { dropUploadsAbout } from '../store/batches/uploads.ts'
import { besideAnother, type Sql, type Transaction } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import {
  batchesOfLookups,
  dropColumnChoices,
  dropWorkbooks,
  endOpenLookups,
  eraseRecords,
  lockSettledLookups,
  namesOfBatches,
  oweReports,
  vacuumErased,
} from '../store/people/erase.ts'
import { scrubTexts } from '../store/people/scrub-texts.ts'
import { forgetLooks, personKey } from '../store/person-key.ts'
import { blankRecords } from './blank-records.ts'
import { eraseFromFiles, storedFilesAbout } from './erase-files.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import { SweepRefusal } from './sweep.ts'

type Tools = Pick<MonitoringTools, 'sql' | 'home' | 'clock'> & { boss: Boss }

/**
 * Removes every trace of a person and keeps the accounting.
 *
 * Reports that hold the person are deleted and written again without them. Erasing can be run again, because it
 * searches for what exists instead of remembering it. It cannot reach reports that were written to other places,
 * backups, or the registry itself.
 */
export const eraseDocument = async (tools: Tools, document: string, by: string) => {
  const { sql, home } = tools
  const search = searchFor(document)
  await sql.begin((tx) => lockLookups(tx, document))
  const { files, reportsOf } = await eraseFromFiles(sql, home, search)
  const { rewrites, workbooks, uploads } = await storedFilesAbout(sql, search)
  const eraseAll = async (tx: Transaction) => {
    // First, because it reads over another connection: callers that wait for a locked look-up may hold all of them.
    for (const { fileId, layout, ranges } of rewrites) {
      await rewriteFile(tx, fileId, blankRecords(readStoredFile(sql, fileId), layout.dialect, ranges))
    }
    const lookups = await takeLookups(tx, tools, document)
    const linked = await batchesOfLookups(tx, lookups)
    // All that was sent to the page: it is kept for a day at most, and the person who sent a file still has it.
    await dropUploadsAbout(
      tx,
      [...uploads, ...workbooks].map(({ fileId }) => fileId),
    )
    const touched = [...linked, ...reportsOf, ...rewrites.flatMap(({ batchIds }) => batchIds)]
    const workbookIds = workbooks.map(({ fileId }) => fileId)
    const batches = [...new Set([...touched, ...(await dropWorkbooks(tx, workbookIds, touched))])]
    // Before their reports are deleted: a report that is published later is refused.
    for (const id of await oweReports(tx, batches)) await enqueue(tools.boss, exportQueue, { batchId: String(id) }, tx)
    await dropReports(tx, tools, batches)
    const { monitoredBy, portfolios } = await eraseRecords(tx, lookups, document)
    await dropColumnChoices(tx, search)
    await forgetLooks(tx, await personKey(tx, document))
    const scrubbed = await scrubTexts(tx, search, scrubbedSchemas)
    const storedFiles = rewrites.length + workbooks.length + uploads.length
    const counts = { lookups: lookups.length, batches: batches.length, storedFiles }
    await recordAudit(tx, by, 'erase', 'a person', counts)
    return { erased: { lookups: lookups.length, batches, storedFiles, monitoredBy, portfolios }, scrubbed }
  }
  const { erased, scrubbed } = await besideAnother(sql, async () => sql.begin(eraseAll))
  await removeAbandonedDownloads(tools.clock())
  await vacuumErased(sql, scrubbed)
  return { ...erased, files }
}

const lockLookups = async (tx: Sql, document: string): Promise<bigint[]> => {
  const ids = await lockSettledLookups(tx, document)
  if (!ids) throw new SweepRefusal(['call_underway'])
  return ids
}

const takeLookups = async (tx: Transaction, { clock, boss }: Tools, document: string): Promise<bigint[]> => {
  const ids = await lockLookups(tx, document)
  const touched = await countEnded(tx, await endOpenLookups(tx, ids, clock()))
  const finished = await finishBatches(tx, await findComplete(tx, touched), clock())
  for (const id of finished) await enqueue(boss, exportQueue, { batchId: String(id) }, tx)
  return ids
}

export const scrubbedSchemas = ['vigia', bossSchema]

const dropReports = async (tx: Transaction, { home }: Tools, batchIds: bigint[]): Promise<void> => {
  for (const batch of await namesOfBatches(tx, batchIds)) {
    await rm(outboxFolder(home, batch), { recursive: true, force: true })
  }
}
