import { rm } from 'node:fs/promises'
import { isLocalRegistry } from '../config/environment.ts'
import { outboxFolder, saveSpreadsheets, exportBatch as writeReport } from '../src/batches/export.ts'
import { notifyBatchDone } from '../src/monitoring/notify-people.ts'
import { wakeRuns } from '../src/portfolios/run-portfolio.ts'
import { exportQueue } from '../src/queue/queues.ts'
import { enqueue } from '../src/queue/start-jobs.ts'
import { spreadsheetOpener } from '../src/registry/download.ts'
import { type Batch, isOvertaken, readBatch, recordExport } from '../src/store/batches/batches.ts'
import { keepTotals } from '../src/store/batches/risk.ts'
import type { Transaction } from '../src/store/connect.ts'
import { oweReports } from '../src/store/people/erase.ts'
import { job, type Tools } from './tools.ts'

/**
 * Writes the report of a batch, once, when its last row has ended.
 *
 * A full disk or a missing folder is tried again. A second run finds that the report is recorded and stops. The
 * registry's spreadsheets and the risk totals, which the message about the batch names, come after the report, so that it
 * waits for neither. If the worker stops before they are done, the next run continues with them.
 */
export const exportBatch = job({
  ...exportQueue,
  retries: 1_000,

  async work({ batchId }: { batchId: string }, tools) {
    const { sql, boss, home, settings, clock, log, signal, registry, accounts } = tools
    const batch = await readBatch(sql, BigInt(batchId))
    if (!batch?.finishedAt || batch.exportedAt) return
    const folder = outboxFolder(home, batch)
    const { manifest } = await writeReport(sql, batch.id, { folder, now: clock(), settings })
    if (batch.spreadsheets) {
      const open = spreadsheetOpener({ registry, accounts, local: isLocalRegistry(settings.registry), signal })
      const { saved, failed } = await saveSpreadsheets(sql, batch.id, { folder, open, signal })
      log.info({ batch: batchId, saved, failed }, 'spreadsheets saved')
      if (signal.aborted) return void (await enqueue(boss, exportQueue, { batchId }))
    }
    if (batch.kind === 'analysis') await keepTotals(sql, batch.id)
    await sql.begin(async (tx) => {
      const report = await recordExport(tx, batch, manifest, clock())
      if (!report) return writeAnew(tools, batch, folder, tx)
      // The message about a portfolio run includes its batch.
      const shouldNotify = await wakeRuns(boss, tx, batch.id)
      if (report === 'first' && !shouldNotify) await notifyBatchDone(tools, batch, manifest, tx)
    })
    log.info({ batch: batchId, rows: manifest.rows, unanswered: manifest.unanswered, folder }, 'batch exported')
  },
})

/**
 * Deletes what was saved and exports again, because a person was erased from the batch meanwhile. All of it goes, also
 * what another worker has written there since: any of it may hold that person.
 */
const writeAnew = async ({ boss }: Tools, batch: Batch, folder: string, tx: Transaction): Promise<void> => {
  if (!(await isOvertaken(tx, batch))) return
  for (const id of await oweReports(tx, [batch.id])) await enqueue(boss, exportQueue, { batchId: String(id) }, tx)
  await rm(folder, { recursive: true, force: true })
}
