import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Arena, labelOf, type Submitted } from './arena.ts'
import { checkConserved, type Files, readFiles } from './report-files.ts'

/**
 * Every submitted row must be in the report or in the rejects, once, in order and with its cells unchanged. For each
 * state, the manifest must have the counts of the files and the tables.
 */
export const checkFiles = async (arena: Arena): Promise<{ lost: number; problems: string[] }> => {
  const problems: string[] = []
  let lost = 0
  let charged = 0
  for (const submitted of arena.submitted) {
    const { name, batchId, documents } = submitted
    const files = await readFiles(join(arena.home, 'vigia', 'outbox', `${name}.${batchId}`), name)
    const missing = missingRows(submitted, files)
    lost += missing
    charged += files.report.filter((row) => row.result_charged !== 'no').length
    if (missing > 0) problems.push(`batch ${batchId} lost or disordered ${missing} rows`)
    const wrong = [...checkConserved(files, documents.length), ...(await checkStates(arena, submitted, files))]
    problems.push(...wrong.map((problem) => `batch ${batchId}: ${problem}`))
  }
  const [records] = await arena.sql<{ charged: number }[]>`
    select count(*)::int as charged from vigia.lookup where charged <> 'no' and kind in ('analysis', 'cnh')`
  if (charged !== records?.charged)
    problems.push(`the reports show ${charged} rows charged, our records ${records?.charged} look-ups`)
  return { lost, problems }
}

/** How many rows of the input are misplaced: report and rejects each keep the order of the input. */
export const missingRows = ({ documents, file }: Submitted, { report, rejects }: Files): number => {
  const back = new Map([...report, ...rejects].map((row) => [row.ref, row.documento]))
  const gone = documents.filter((document, i) => back.get(labelOf(file, i)) !== document).length
  return gone + descents(report) + descents(rejects)
}

const descents = (rows: Files['report']): number => {
  const places = rows.map(({ ref }) => Number(ref?.split('-')[1]))
  return places.filter((place, i) => i > 0 && place < places[i - 1]!).length
}

/** A complete report is final: it must have the counts of the tables. */
const checkStates = async ({ sql }: Arena, { batchId }: Submitted, { manifest }: Files): Promise<string[]> => {
  const counts = await sql<{ state: string; rows: number }[]>`
    select state, rows from vigia.batch_count where batch_id = ${batchId} and rows > 0 order by state`
  const kept = JSON.stringify(Object.fromEntries(counts.map(({ state, rows }) => [state, rows])))
  const shown = JSON.stringify(manifest.states)
  return [
    ...(manifest.complete ? [] : ['its report is partial']),
    ...(shown === kept ? [] : [`its manifest says ${shown}, the tables ${kept}`]),
  ]
}

/** Half-written files that a killed export left behind. */
export const leftovers = async ({ home }: Arena): Promise<number> => {
  const names = await readdir(join(home, 'vigia', 'outbox'), { recursive: true })
  return names.filter((name) => name.endsWith('.part')).length
}
