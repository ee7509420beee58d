import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { apart } from './apart.ts'
import type { Bench } from './bench.ts'
import { finishedBatches } from './finished-batches.ts'

export type Exported = { seconds: number; peakMiB: number }

/** A batch exported once per round: several lines use the same run. */
export const exportByVigia = (bench: Bench, which: 'large' | 'small', round: number): Promise<Exported> =>
  bench.once(`vigia exports the ${which} batch in round ${round}`, () => exportBy('export-vigia', bench, which))

/** The same batch as a workbook only. */
export const exportWorkbookByVigia = (bench: Bench, which: 'large' | 'small', round: number): Promise<Exported> =>
  bench.once(`vigia writes the workbook of the ${which} batch in round ${round}`, () =>
    exportBy('export-workbook', bench, which),
  )

export const exportByLimit = (bench: Bench): Promise<Exported> => exportBy('export-limit', bench, 'large')

const exportBy = async (task: string, bench: Bench, which: 'large' | 'small'): Promise<Exported> => {
  const finished = await finishedBatches(bench)
  const folder = await mkdtemp(join(bench.folder, 'export-'))
  const batch = String(finished[which])
  const exported = await apart<Exported>(task, { url: finished.database.url, batch, folder })
  await rm(folder, { recursive: true })
  return exported
}
