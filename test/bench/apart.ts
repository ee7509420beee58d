import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

/** Runs a task in a separate process with a cold start, and returns its result. */
export const apart = async <Result>(task: string, args: object): Promise<Result & { peakMiB: number }> => {
  const program = resolve(import.meta.dirname, 'tasks', `${task}.ts`)
  const child = spawn(process.execPath, [program, JSON.stringify(args)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`The task ${task} ended with ${code}`)
  return JSON.parse(printed)
}
