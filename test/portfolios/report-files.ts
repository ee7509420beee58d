import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { classifications } from '../../src/domain/classifications.ts'
import { readCsv } from '../support/read-report.ts'

/** The figures of each document with an answer, as text; zero and empty ones are left out. */
export type Figures = Map<string, Map<string, string>>

/** Reads the report of a batch: the answers, and the documents without one. */
export const readReport = async (
  home: string,
  batchId: bigint | number,
): Promise<{ known: Figures; unchecked: string[] }> => {
  const outbox = join(home, 'outbox')
  const folder = (await readdir(outbox)).find((name) => name.endsWith(`.${batchId}`))!
  const file = (await readdir(join(outbox, folder))).find((name) => name.endsWith('.report.csv'))!
  const known: Figures = new Map()
  const unchecked: string[] = []
  for (const row of await readCsv(join(outbox, folder, file))) {
    if (row.result_status === 'ok') known.set(row.documento!, figuresOf(row))
    else unchecked.push(row.documento!)
  }
  return { known, unchecked: unchecked.sort() }
}

const figuresOf = (row: Record<string, string>): Map<string, string> => {
  const names = ['processes_total', ...classifications.flatMap((key) => [`${key}_count`, `${key}_value`])]
  const all = names.flatMap((name): [string, string][] => {
    const value = row[name] ?? ''
    return isNothing(value) ? [] : [[name === 'processes_total' ? 'processes' : name, value]]
  })
  return new Map(all)
}

const isNothing = (value: string): boolean => value === '' || /^0(,00)?$/.test(value)

type Difference = { document: string; field: string; verdict: string; before: string; after: string }

export const readDifferences = async (file: string): Promise<Difference[]> =>
  (await readCsv(file)).map(({ document, field, verdict, before, after }) => ({
    document: document!.replace(/\D/g, ''),
    field: field!,
    verdict: verdict!,
    before: before!,
    after: after!,
  }))

/** Applies differences to the known figures. Throws if one does not begin where the last one ended. */
export const applyDifferences = (known: Figures, differences: Difference[]): Figures => {
  const next: Figures = new Map([...known].map(([document, figures]) => [document, new Map(figures)]))
  for (const { document, field, verdict, before, after } of differences) {
    if (field === 'portfolio') {
      if (verdict === 'removed') next.delete(document)
      continue
    }
    if (verdict === 'unchecked') continue
    const figures = next.get(document) ?? new Map<string, string>()
    next.set(document, figures)
    const was = figures.get(field) ?? ''
    if (was !== (isNothing(before) ? '' : before)) throw new Error(`${field} was ${was}, not ${before}`)
    if (isNothing(after)) figures.delete(field)
    else figures.set(field, after)
  }
  return next
}
