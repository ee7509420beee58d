import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { compileCache } from '../support/compile-cache.ts'
import { type Asked, type Health, watchHealth } from './health-probe.ts'
import type { Random } from './random.ts'

const program = resolve(import.meta.dirname, 'worker-process.ts')

export type Worker = Asked & { child: ChildProcess; ready: Promise<void> }

/** Worker processes that come and go, with the log of each. A worker that ends without a request is a problem. */
export type WorkerFleet = AsyncDisposable & {
  readonly alive: Worker[]
  readonly logs: string[]
  /** The last log lines of each worker that ended by itself. */
  readonly fallen: string[]
  /** Whether they answered all the time. */
  readonly health: Health
  start(): Promise<Worker>
  startMany(count: number): Promise<void>
  /** SIGKILL. Resolves once the process is gone. */
  kill(worker: Worker): Promise<void>
  /** SIGTERM: returns how long the exit took, and its result. */
  terminate(worker: Worker): Promise<{ ms: number; code: number | null; signal: NodeJS.Signals | null }>
  killOne(random: Random): Promise<void>
}

export const openFleet = (folder: string, environment: Record<string, string>, token: string): WorkerFleet => {
  const alive: Worker[] = []
  const logs: string[] = []
  const fallen: string[] = []
  const health = watchHealth(alive, token)

  const forget = (worker: Worker): boolean => {
    const at = alive.indexOf(worker)
    if (at >= 0) alive.splice(at, 1)
    return at >= 0
  }

  const start = async (): Promise<Worker> => {
    const log = join(folder, `worker-${logs.length + 1}.log`)
    logs.push(log)
    await using output = await open(log, 'a', 0o600)
    const env = { ...environment, NODE_COMPILE_CACHE: compileCache }
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', output.fd] })
    const ready = pageOf(child).then((page) => {
      worker.page = page
    })
    const worker: Worker = { child, pid: child.pid!, log, ready, page: null }
    worker.ready.catch(() => {})
    alive.push(worker)
    child.once('exit', (code, signal) => {
      if (forget(worker)) fallen.push(`${log} ended by itself (${code ?? signal})`)
    })
    return worker
  }

  const end = async (worker: Worker, signal: NodeJS.Signals) => {
    const began = performance.now()
    forget(worker)
    const gone = once(worker.child, 'exit')
    worker.child.kill(signal)
    const [code, by] = await gone
    return { ms: performance.now() - began, code, signal: by }
  }

  return {
    alive,
    logs,
    fallen,
    health,
    start,
    async startMany(count) {
      const workers = await Promise.all(Array.from({ length: count }, start))
      await Promise.all(workers.map(({ ready }) => ready))
    },
    kill: async (worker) => void (await end(worker, 'SIGKILL')),
    terminate: (worker) => end(worker, 'SIGTERM'),
    async killOne(random) {
      if (alive.length > 0) await end(random.pick(alive), 'SIGKILL')
    },
    async [Symbol.asyncDispose]() {
      health.stop()
      await Promise.all([...alive].map((worker) => end(worker, 'SIGKILL')))
    },
  }
}

/** The worker prints the address of its page once it is ready. */
const pageOf = async (child: ChildProcess): Promise<string> => {
  const output = once(child.stdout!, 'data')
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('The worker ended before it was ready')))
  gone.catch(() => {})
  const [address] = await Promise.race([output, gone])
  return String(address).trim()
}
