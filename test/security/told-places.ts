import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../src/store/connect.ts'
import { type Canaries, toldBy } from './canaries.ts'
import { dumpDatabase } from './database-dump.ts'

/** The columns, of any table, in which a canary stands. */
export const columnsThatTell = async (sql: Database, canaries: Canaries): Promise<string[]> => {
  const telling: string[] = []
  for await (const { column, texts } of dumpDatabase(sql))
    if (texts.some((text) => toldBy(text, canaries).length > 0)) telling.push(column)
  return telling
}

export const filesThatTell = async (folder: string, canaries: Canaries): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const telling: string[] = []
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name)
    if (toldBy(await readFile(path, 'latin1'), canaries).length > 0) telling.push(path)
  }
  return telling
}
