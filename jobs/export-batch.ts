import { isLoopback } from '../config/environment.ts'
import { outboxFolder, exportBatch as writeReport } from '../src/batches/export.ts'
import { reportDefaults } from '../src/batches/report-snapshot.ts'
import { saveSpreadsheets } from '../src/batches/save-spreadsheets.ts'
import { exportQueue } from '../src/queue/queues.ts'
import { enqueue } from '../src/queue/start-jobs.ts'
import { download } from '../src/registry/download.ts'
import { readBatch, recordExport } from '../src/store/batches/batches.ts'
import type { SpreadsheetRow } from '../src/store/batches/results.ts'
import { keepTotals } from '../src/views/risk.ts'
import { job, type Tools } from './tools.ts'

/**
 * Gives the file back: once, when the last row of a batch has ended.
 *
 * A disk that is full or a folder that is gone is tried again; a second run finds the report recorded and stops.
 * The registry's own spreadsheets come after the report, which waits for none of them; so do the sums of its risk.
 * A worker that stops among them leaves the rest to the next one.
 */
export const exportBatch = job({
  ...exportQueue,
  retries: 1_000,

  async work({ batchId }: { batchId: string }, tools) {
    const { sql, boss, home, settings, clock, log, signal } = tools
    const batch = await readBatch(sql, BigInt(batchId))
    if (!batch?.finishedAt || batch.exportedAt) return
    const folder = outboxFolder(home, batch)
    const { timezone } = settings
    const options = { folder, timezone, now: clock(), defaults: reportDefaults(settings) }
    const { manifest } = await writeReport(sql, batch.id, options)
    if (batch.spreadsheets) {
      const open = openSpreadsheet(tools)
      const { saved, failed } = await saveSpreadsheets(sql, batch.id, { folder, open, signal })
      log.info({ batch: batchId, saved, failed }, 'spreadsheets saved')
      if (signal.aborted) return void (await enqueue(boss, exportQueue, { batchId }))
    }
    await recordExport(sql, batch, manifest, clock())
    if (batch.kind === 'analysis') await keepTotals(sql, batch.id)
    log.info({ batch: batchId, rows: manifest.rows, unanswered: manifest.unanswered, folder }, 'batch exported')
  },
})

/** Opens the registry's spreadsheet of an analysis; where its temporary address is over, a new one is asked for. */
const openSpreadsheet =
  ({ registry, accounts, settings, signal }: Tools & { signal: AbortSignal }) =>
  async ({ url, remoteId, remoteKey, organizationId }: SpreadsheetRow) => {
    const allowPrivate = settings.registry === null || isLoopback(new URL(settings.registry.url).hostname)
    const fetch = (address: string) => {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
      return download(address, { maxBytes: largest, allowPrivate, signal: patience })
    }
    try {
      return await fetch(url)
    } catch (error) {
      const account = accounts.find((each) => BigInt(each.organizationId) === organizationId)
      if (!account) throw error
      const ref = { id: remoteId, uniqueId: remoteKey ?? '' }
      const { spreadsheets } = await registry.analyses.consult(ref, account, { signal })
      if (!spreadsheets.full || spreadsheets.full === url) throw error
      return fetch(spreadsheets.full)
    }
  }

const largest = 64 * 1024 * 1024
/** However slowly it drips. */
const longestMs = 5 * 60_000
