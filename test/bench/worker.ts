import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { registryEnvironment } from '../support/registry-environment.ts'
import type { Bench } from './bench.ts'

export type WorkerOptions = {
  databaseUrl: string
  registryUrl: string
  config?: Record<string, unknown>
  /** With its inbox and its page. */
  complete?: boolean
}

/** A Vigia worker as a separate process, and its output when ready. `stop` ends it cleanly and returns its peak memory. */
export type Worker = AsyncDisposable & { pid: number; inbox: string; stop(): Promise<{ peakMiB: number }> }

const program = resolve(import.meta.dirname, 'tasks/worker.ts')

export const startWorker = async (bench: Bench, options: WorkerOptions): Promise<Worker> => {
  const config = join(bench.folder, 'config.json')
  await writeFile(config, JSON.stringify(options.config ?? {}))
  const { PATH, NODE_OPTIONS } = process.env
  const env = { PATH, NODE_OPTIONS, ...environmentOf(bench, options), VIGIA_CONFIG: config }
  const child = spawn(process.execPath, [program, options.complete ? 'complete' : 'engine'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { done, value: inbox } = await lines.next()
  if (done) throw new Error('The worker ended before it was ready')
  let stopped: Promise<{ peakMiB: number }> | undefined
  const stop = () => {
    stopped ??= endOf(child, lines)
    return stopped
  }
  return { pid: child.pid!, inbox, stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

const endOf = async (child: ChildProcessByStdio<Writable, Readable, null>, lines: AsyncIterator<string>) => {
  const gone = once(child, 'exit')
  child.stdin.end()
  const { value } = await lines.next()
  await gone
  return JSON.parse(value) as { peakMiB: number }
}

const environmentOf = (bench: Bench, { databaseUrl, registryUrl }: WorkerOptions): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  // A home remembers its database: with another one, paid lanes would wait for a possible loss of commits.
  VIGIA_HOME: join(bench.folder, `home-${new URL(databaseUrl).pathname.slice(1)}`),
  LOG_LEVEL: 'warn',
  PORT: '0',
  ...registryEnvironment({ url: registryUrl }),
})
