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

/** Since 0.2.0 calls in flight are no longer counted as charged, but as open. */
const manifestOf = (text: string) => {
  const { times, spend, ...rest } = JSON.parse(Buffer.from(text, 'latin1').toString())
  const { exported, ...before } = times
  return { ...rest, spend: { units: spend.charged + (spend.open ?? 0), limit: spend.limit }, times: before }
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
  return rows.map((cells, line) => {
    if (line === 0 || boughtBefore.has(cells[id!] ?? '')) return cells
    return cells.map((cell, i) => (i === asOf || i === id ? '·' : cell))
  })
}
