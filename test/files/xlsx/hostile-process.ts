import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Said } from '../../../src/domain/said/said.ts'
import { readWorkbook } from '../../../src/files/xlsx/read-workbook.ts'
import { WorkbookProblem } from '../../../src/files/xlsx/workbook-problem.ts'

export type Ending = { code: string; message: string; said: Said | null }

/** Reads every file of a folder to its end, and prints how each ended and the most memory that this process ever took. */
const folder = process.argv[2] as string
const ends: Record<string, Ending & { milliseconds: number }> = {}
for (const name of await readdir(folder)) {
  const began = performance.now()
  const { code, message, said } = await endOf(join(folder, name))
  ends[name] = { code, message, said, milliseconds: Math.round(performance.now() - began) }
}
process.stdout.write(JSON.stringify({ ends, kibibytes: await mostMemory() }))

async function endOf(path: string): Promise<Ending> {
  try {
    await using workbook = await readWorkbook(path)
    for (const { name } of workbook.sheets) for await (const _ of workbook.rows(name));
    return { code: 'read', message: '', said: null }
  } catch (error) {
    if (error instanceof WorkbookProblem) return error
    return { code: 'crash', message: String(error), said: null }
  }
}

/** What getrusage tells begins with the memory of whoever started this process, so the system's own count is better. */
async function mostMemory(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? process.memoryUsage.rss() / 1024)
}
