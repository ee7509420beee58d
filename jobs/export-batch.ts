import { exportBatch as writeReport } from '../src/batches/export.ts'
import { outboxFolder } from '../src/batches/outbox-folder.ts'
import { exportQueue } from '../src/batches/queues.ts'
import { readBatch, recordExport } from '../src/store/batches.ts'
import { job } from './tools.ts'

/**
 * Gives the file back: once, when the last row of a batch has ended.
 *
 * A disk that is full or a folder that is gone is tried again; a second run finds the report recorded and stops.
 */
export const exportBatch = job({
  ...exportQueue,
  retries: 1_000,

  async work({ batchId }: { batchId: string }, { sql, home, settings, clock, log }) {
    const batch = await readBatch(sql, BigInt(batchId))
    if (!batch?.finishedAt || batch.exportedAt) return
    const folder = outboxFolder(home, batch)
    const { manifest } = await writeReport(sql, batch.id, { folder, timezone: settings.timezone, now: clock() })
    await recordExport(sql, batch, manifest, clock())
    log.info({ batch: batchId, rows: manifest.rows, unanswered: manifest.unanswered, folder }, 'batch exported')
  },
})
