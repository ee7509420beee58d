import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { type Client, openClient } from '../client.ts'
import type { Line } from '../line.ts'
import { startRegistry } from '../registry-process.ts'
import { startWorker } from '../worker.ts'

const startedMs = 5_000
const idleMs = 15_000

/** What workers with nothing to do ask the database; several share the supervision. */
const idleLine = (workers: number, atMost: number): Line => ({
  name: workers === 1 ? 'idle-alone' : `idle-of-${workers}`,
  what: workers === 1 ? 'transactions per second of an idle worker' : `the same for each of ${workers} idle workers`,
  unit: 'a second',
  goal: { atMost },
  // Autovacuum, the measuring session and workers that are still starting on a busy machine commit too.
  held: { atMost: atMost * 2 },

  round: async (bench) => ({ limit: 1, vigia: (await transactionsPerSecond(bench, workers)) / workers }),
})

export const idleWorkers: Line[] = [idleLine(1, 12), idleLine(4, 5)]

const transactionsPerSecond = async (bench: Bench, workers: number): Promise<number> => {
  await using database = await bench.server.database()
  await using registry = await startRegistry()
  await using stack = new AsyncDisposableStack()
  for (let n = 0; n < workers; n++)
    stack.use(await startWorker(bench, { databaseUrl: database.url, registryUrl: registry.url }))
  await using client = await openClient(database.url)
  await pause(startedMs)
  const [before, began] = [await committed(client), performance.now()]
  await pause(idleMs)
  const after = await committed(client)
  return ((after - before) * 1_000) / (performance.now() - began)
}

const committed = async ({ sql }: Client): Promise<number> => {
  const [row] = await sql<[{ count: string }]>`
    select xact_commit as count from pg_stat_database where datname = current_database()`
  return Number(row.count)
}
