import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import type { Bench } from './bench.ts'
import { openClient } from './client.ts'
import { startRegistry } from './registry.ts'
import type { Database } from './server.ts'
import { startWorker, type WorkerOptions } from './worker.ts'

type GroundOptions = Pick<WorkerOptions, 'config' | 'complete'> & {
  /** One of its own where left out. */
  database?: Database
  scenario?: ScenarioPatch
  workers?: number
}

export type Ground = Awaited<ReturnType<typeof openGround>>

/** Workers and a client on a database, with a registry of their own. */
export const openGround = async (bench: Bench, options: GroundOptions = {}) => {
  const { scenario, workers = 1, config, complete } = options
  await using stack = new AsyncDisposableStack()
  const database = options.database ?? stack.use(await bench.server.database())
  const registry = stack.use(await startRegistry(scenario))
  const reached = { databaseUrl: database.url, registryUrl: registry.url }
  const worker = stack.use(await startWorker(bench, { ...reached, config, complete }))
  for (let n = 1; n < workers; n++) stack.use(await startWorker(bench, { ...reached, config }))
  const client = stack.use(await openClient(database.url))
  const opened = stack.move()
  return { worker, client, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
