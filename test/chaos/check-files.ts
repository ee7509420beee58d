import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { type Arena, markOf, type Submitted } from './arena.ts'

/** Every row that was handed in must stand in the report or in the rejects, once, in its order, cells untouched. */
export const checkFiles = async (arena: Arena): Promise<{ lost: number; problems: string[] }> => {
  const problems: string[] = []
  let lost = 0
  let charged = 0
  for (const submitted of arena.submitted) {
    const read = await readReport(arena, submitted)
    const missing = missingRows(submitted, read.rows)
    lost += missing
    charged += read.charged
    if (missing > 0) problems.push(`batch ${submitted.batchId} lost or disordered ${missing} rows`)
    if (read.rows.length !== submitted.documents.length)
      problems.push(`batch ${submitted.batchId} gave back ${read.rows.length} of ${submitted.documents.length} rows`)
  }
  const [books] = await arena.sql<{ charged: number }[]>`
    select count(*)::int as charged from lookup where charged <> 'no' and kind in ('analysis', 'cnh')`
  if (charged !== books?.charged)
    problems.push(`the reports show ${charged} rows charged, the books ${books?.charged} look-ups`)
  return { lost, problems }
}

type Read = { rows: { document: string; mark: string }[]; charged: number }

const readReport = async ({ home }: Arena, { name, batchId }: Submitted): Promise<Read> => {
  const folder = join(home, 'vigia', 'outbox', `${name}.${batchId}`)
  const report = await readCsv(join(folder, `${name}.report.csv`))
  const rejects = await readCsv(join(folder, `${name}.rejects.csv`))
  return {
    rows: [...report, ...rejects].map((row) => ({ document: row.documento ?? '', mark: row.ref ?? '' })),
    charged: report.filter((row) => row.result_charged !== 'no').length,
  }
}

const readCsv = async (path: string): Promise<Record<string, string>[]> =>
  parse(await readFile(path), { bom: true, columns: true, delimiter: ';' })

/** How many rows of the input are not where they should be: report and rejects each keep the order of the input. */
const missingRows = ({ documents, file }: Submitted, rows: Read['rows']): number => {
  const back = new Map(rows.map(({ document, mark }) => [mark, document]))
  const gone = documents.filter((document, i) => back.get(markOf(file, i)) !== document).length
  const places = rows.map(({ mark }) => Number(mark.split('-')[1]))
  const descents = places.filter((place, i) => i > 0 && place < places[i - 1]!).length
  return gone + Math.max(0, descents - 1)
}

/** Halves of files that a killed export left behind. */
export const leftovers = async ({ home }: Arena): Promise<number> => {
  const names = await readdir(join(home, 'vigia', 'outbox'), { recursive: true })
  return names.filter((name) => name.endsWith('.part')).length
}
