import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { openClient } from './client.ts'
import { startRegistry } from './registry.ts'
import { startWorker } from './worker.ts'

const startedMs = 5_000
const idleMs = 15_000

/** The statements per second of all workers; what begins and ends a transaction is none. */
export const statementsOfIdle = async (bench: Bench, workers: number): Promise<number> => {
  await using database = await bench.server.database()
  await using client = await openClient(database.url)
  await client.sql`create extension pg_stat_statements`
  await client.sql.unsafe(`alter database ${database.name} set pg_stat_statements.track = 'top'`)
  await using registry = await startRegistry()
  await using stack = new AsyncDisposableStack()
  for (let n = 0; n < workers; n++)
    stack.use(await startWorker(bench, { databaseUrl: database.url, registryUrl: registry.url }))
  const counted = async (): Promise<number> => {
    const [row] = await client.sql<[{ calls: number }]>`
      select coalesce(sum(calls), 0)::int as calls from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database())`
    return row.calls
  }
  await pause(startedMs)
  const [before, began] = [await counted(), performance.now()]
  await pause(idleMs)
  return (((await counted()) - before) * 1_000) / (performance.now() - began)
}
