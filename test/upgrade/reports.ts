import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

/** The three files of each batch by its number, then by their names; each byte is one character. */
export type Reports = Record<string, Record<string, string>>

/** Reads the exports in a folder, each batch into one folder named after its number. */
export const readReports = async (folder: string): Promise<Reports> => {
  const batches = (await readdir(folder)).toSorted((a, b) => Number(a) - Number(b))
  return Object.fromEntries(await Promise.all(batches.map(async (id) => [id, await readFiles(join(folder, id))])))
}

const readFiles = async (folder: string): Promise<Record<string, string>> => {
  const names = (await readdir(folder)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'latin1')])),
  )
}

/** Report and rejects byte for byte; the manifest without its times. */
export const comparable = (files: Record<string, string>) =>
  Object.entries(files).map(([name, text]) => [name, name.endsWith('.json') ? manifestOf(text) : text])

/** Since 0.2.0 calls in flight are no longer counted as charged, but as open; since 0.3.0 documents are counted beside rows. */
const manifestOf = (text: string) => {
  const { times, spend, total, ...rest } = JSON.parse(Buffer.from(text, 'latin1').toString())
  const { exported, ...before } = times
  return { ...rest, spend: { units: spend.charged + (spend.open ?? 0), limit: spend.limit }, times: before }
}

/** The files with another report, and the manifest that counts its bytes. */
export const withReport = (files: Record<string, string>, name: string, report: string): Record<string, string> => {
  const manifestName = name.replace('.report.csv', '.manifest.json')
  const manifest = JSON.parse(files[manifestName]!)
  const sha256 = createHash('sha256').update(report, 'latin1').digest('hex')
  manifest.files.report = { ...manifest.files.report, bytes: report.length, sha256 }
  return { ...files, [name]: report, [manifestName]: JSON.stringify(manifest) }
}

/** Columns of analyses since 0.3.0, empty for answers of earlier versions. */
const since = ['registry_name', 'name_match', 'protest_status', 'important_terms']

/** Reports of 0.1.0 with the columns that were added since, before the last 40. */
export const withColumnsSince = (files: Record<string, string>): Record<string, string> => {
  const name = Object.keys(files).find((name) => name.endsWith('.report.csv'))!
  const [, delimiter] = /result_id(.)ALL_count/.exec(files[name]!) ?? []
  if (!delimiter) return files
  const values = new RegExp(`((?:\\${delimiter}(?:"[^"]*"|[^"\\r\\n\\${delimiter}]*)){40})(?=\\r?\\n|$)`, 'g')
  let line = 0
  const report = files[name]!.replace(values, (end) => {
    const added = line++ === 0 ? since : since.map(() => '')
    return added.map((cell) => delimiter + cell).join('') + end
  })
  return withReport(files, name, report)
}

/**
 * The tables without values that differ in every run: when a row was answered, and under which number it was bought.
 * Earlier purchases keep both.
 */
export const withoutChance = (files: Record<string, string>, boughtBefore: ReadonlySet<string>) =>
  Object.entries(files)
    .filter(([name]) => name.endsWith('.csv'))
    .map(([name, text]) => [name, cellsOf(text, boughtBefore)])

const cellsOf = (text: string, boughtBefore: ReadonlySet<string>): string[][] => {
  const rows: string[][] = parse(text, { delimiter: [';', '|', ','], relax_column_count: true })
  const [asOf, id] = ['result_as_of', 'result_id'].map((column) => rows[0]!.indexOf(column))
  const added = rows[0]!.includes(since[0]!) ? since.length : 0
  return rows.map((all, line) => {
    const cells = all.toSpliced(id! + 1, added)
    if (line === 0 || boughtBefore.has(cells[id!] ?? '')) return cells
    return cells.map((cell, i) => (i === asOf || i === id ? '·' : cell))
  })
}
