import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compileCache } from '../support/compile-cache.ts'

/** Starts one of the programs in this folder. */
export const startProcess = (program: string, env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, program)], {
    env: { ...env, PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Runs one of them to its end, and returns the JSON that it prints. */
export const runProcess = async <T>(program: string, env: Record<string, string>): Promise<T> => {
  const child = startProcess(program, env)
  const [printed] = await Promise.all([text(child.stdout!), once(child, 'exit')])
  if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}: ${printed}`)
  return JSON.parse(printed) as T
}

export const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
