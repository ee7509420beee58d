import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../src/store/connect.ts'
import { type Canaries, leakedBy } from './canaries.ts'
import { dumpDatabase } from './database-dump.ts'

/** The columns, of any table, that contain a canary. */
export const columnsThatLeak = async (sql: Database, canaries: Canaries): Promise<string[]> => {
  const leaking: string[] = []
  for await (const { column, texts } of dumpDatabase(sql))
    if (texts.some((text) => leakedBy(text, canaries).length > 0)) leaking.push(column)
  return leaking
}

export const filesThatLeak = async (folder: string, canaries: Canaries): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const leaking: string[] = []
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name)
    if (leakedBy(await readFile(path, 'latin1'), canaries).length > 0) leaking.push(path)
  }
  return leaking
}
