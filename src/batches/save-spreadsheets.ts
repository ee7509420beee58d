import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { listSpreadsheets, type SpreadsheetRow } from '../store/batches/results.ts'
import type { Sql } from '../store/connect.ts'
import { writeAtomically } from './atomic-file.ts'

type SaveOptions = {
  /** The batch's own folder; the spreadsheets go into a folder below it. */
  folder: string
  open: (row: SpreadsheetRow) => Promise<AsyncIterable<Uint8Array>>
  signal: AbortSignal
}

/**
 * Saves the registry's spreadsheet of each row, under the name `<line>-<id>.xlsx`.
 *
 * If one cannot be fetched, a text file with the reason takes its place. Existing ones are not fetched again. The
 * signal ends it early.
 */
export const saveSpreadsheets = async (sql: Sql, batchId: bigint, options: SaveOptions) => {
  const folder = join(options.folder, 'spreadsheets')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const present = new Set(await readdir(folder))
  const bound = pLimit(atOnce)
  let saved = 0
  let failed = 0
  for (let after = { line: 0, part: 0 }; ; ) {
    const rows = await listSpreadsheets(sql, batchId, after, page)
    const wanted = rows.filter((row) => !present.has(`${nameOf(row)}.xlsx`))
    const outcomes = await Promise.all(wanted.map((row) => bound(() => save(row, folder, options))))
    saved += outcomes.filter((outcome) => outcome).length
    failed += outcomes.filter((outcome) => !outcome).length
    after = rows.at(-1) ?? after
    if (rows.length < page || options.signal.aborted) return { saved, failed }
  }
}

const page = 1_000
const atOnce = 4

const save = async (row: SpreadsheetRow, folder: string, { open, signal }: SaveOptions): Promise<boolean> => {
  if (signal.aborted) return false
  const path = join(folder, nameOf(row))
  try {
    const bytes = await open(row)
    await writeAtomically(`${path}.xlsx`, bytes)
    return true
  } catch (error) {
    if (!signal.aborted) await writeFile(`${path}.failed.txt`, `${(error as Error).message}\n`, { mode: 0o600 })
    return false
  }
}

/** The registry chooses its ids, so only letters, digits, `_` and `-` of them become part of a path. */
const nameOf = ({ line, remoteId }: SpreadsheetRow): string =>
  `${line}-${remoteId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)}`
