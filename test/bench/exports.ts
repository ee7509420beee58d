import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { apart } from './apart.ts'
import type { Bench } from './bench.ts'
import { finishedBatches } from './finished-batches.ts'

export type Exported = { seconds: number; peakMiB: number }

/** A batch exported as CSV files, or as a workbook only, once per round: several lines use the same run. */
export const exportByVigia = (
  bench: Bench,
  format: 'csv' | 'xlsx',
  which: 'large' | 'small',
  round: number,
): Promise<Exported> =>
  bench.once(`vigia exports the ${which} batch as ${format} in round ${round}`, () =>
    exportBy('export-vigia', bench, which, format),
  )

export const exportByLimit = (bench: Bench): Promise<Exported> => exportBy('export-limit', bench, 'large')

const exportBy = async (task: string, bench: Bench, which: 'large' | 'small', format?: string): Promise<Exported> => {
  const finished = await finishedBatches(bench)
  const folder = await mkdtemp(join(bench.folder, 'export-'))
  const batch = String(finished[which])
  const exported = await apart<Exported>(task, { url: finished.database.url, batch, folder, format })
  await rm(folder, { recursive: true })
  return exported
}
