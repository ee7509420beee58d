import type { Bench } from './bench.ts'
import type { Client } from './client.ts'
import { openGround } from './ground.ts'
import { peopleFile } from './people-file.ts'

/** Fifty calls open, and answers fetched as soon as they are there. */
export const openFifty = { concurrency: { worker: 50, fleet: 50 }, polling: { first: '1ms', max: '100ms' } }

type Written = { updates: number; walBytes: number; transactions: number }

/**
 * What one analysis makes the database write, from its row in the file to its answer; the lines of a round share it.
 *
 * Updates and log do not depend on the machine. Transactions do a little: heartbeats and polling follow the clock.
 */
export const costOfAnalysis = (bench: Bench, round: number): Promise<Written> =>
  bench.once(`cost of an analysis, round ${round}`, async () => {
    const documents = bench.sizes.counted
    await using ground = await openGround(bench, { config: openFifty })
    const { client } = ground
    const before = await readCounters(client)
    const batch = await client.submit(await peopleFile(bench, documents))
    // The measuring session is counted too.
    await client.until(batch, ({ finishedAt }) => finishedAt, 1_000)
    const after = await readCounters(client)
    return {
      updates: (after.updates - before.updates) / documents,
      walBytes: (after.walBytes - before.walBytes) / documents,
      transactions: (after.transactions - before.transactions) / documents,
    }
  })

/** Each session reports its counts at most once a second, so the last figures need a wait. */
const readCounters = async ({ sql }: Client): Promise<Written> => {
  const read = async () => {
    const [row] = await sql<[{ updates: string; wal: string; transactions: string }]>`
      select (select n_tup_upd from pg_stat_user_tables where relname = 'lookup') as updates,
             pg_current_wal_insert_lsn() - '0/0' as wal,
             (select xact_commit from pg_stat_database where datname = current_database()) as transactions`
    return { updates: Number(row.updates), walBytes: Number(row.wal), transactions: Number(row.transactions) }
  }
  const first = await read()
  for (let last = first; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const next = await read()
    if (next.updates === last.updates) return { ...next, walBytes: first.walBytes, transactions: next.transactions }
    last = next
  }
}
