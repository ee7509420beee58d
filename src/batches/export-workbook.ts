import type { Batch } from '../store/batches/batches.ts'
import type { Database } from '../store/connect.ts'
import { AtomicFile } from './atomic-file.ts'
import type { Manifest } from './manifest.ts'
import {
  assertConserved,
  inTurn,
  languageOfReport,
  type ReportOptions,
  readSpend,
  type Sources,
  sumOf,
} from './report-turn.ts'
import { writeReportWorkbook } from './workbook/write-report.ts'

export const exportWorkbook = (
  sql: Database,
  batchId: bigint,
  options: ReportOptions,
): Promise<{ name: string; workbook: string }> =>
  inTurn(sql, batchId, options, async (sources, batch, place) => {
    const workbook = place('report.xlsx')
    const file = await AtomicFile.begin(workbook)
    try {
      await writeSheets(sources, batch, file, await readSpend(sources.tx, batch), options)
      await file.publish()
      return { name: batch.name, workbook }
    } catch (error) {
      await file.discard()
      throw error
    }
  })

/** Writes the sheets of a batch into an unpublished file. Returns its rows by state, and throws if they do not add up. */
export const writeSheets = async (
  sources: Sources,
  batch: Batch,
  file: AtomicFile,
  spend: Manifest['spend'],
  options: ReportOptions,
): Promise<Map<string, number>> => {
  const { timezone, now, defaults } = options
  const textOptions = {
    language: languageOfReport(batch, options),
    timezone,
    now,
    prices: defaults?.prices ?? null,
    spend,
  }
  const states = await writeReportWorkbook(sources, batch, file, textOptions)
  const rejected = states.get('rejected') ?? 0
  assertConserved(batch, sumOf(states) - rejected, rejected, states)
  return states
}
