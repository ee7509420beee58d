import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FileProblem } from '../../../src/files/file-problem.ts'
import { readWorkbook } from '../../../src/files/xlsx/read-workbook.ts'
import type { Message } from '../../../src/messages/message.ts'

export type Outcome = { code: string; message: string; reason: Message | null }

/** Reads every file of a folder to its end, and prints the result of each and the peak memory of this process. */
const folder = process.argv[2] as string
const ends: Record<string, Outcome & { milliseconds: number }> = {}
for (const name of await readdir(folder)) {
  const began = performance.now()
  const { code, message, reason } = await endOf(join(folder, name))
  ends[name] = { code, message, reason, milliseconds: Math.round(performance.now() - began) }
}
process.stdout.write(JSON.stringify({ ends, kibibytes: await mostMemory() }))

async function endOf(path: string): Promise<Outcome> {
  try {
    await using workbook = await readWorkbook(createReadStream(path))
    for (const { name } of workbook.sheets) for await (const _ of workbook.rows(name));
    return { code: 'read', message: '', reason: null }
  } catch (error) {
    if (error instanceof FileProblem) return error
    return { code: 'crash', message: String(error), reason: null }
  }
}

/** getrusage includes the memory of the parent process, so the system's own count is better. */
async function mostMemory(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? process.memoryUsage.rss() / 1024)
}
