import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { renderTable } from '../../src/cli/lines/texts.ts'
import { endOnSignal } from '../support/end-on-signal.ts'
import { type Bench, openBench } from './bench.ts'
import type { Client } from './client.ts'
import { openGround } from './ground.ts'
import { openFifty } from './lookup-cost.ts'
import { peopleFile } from './people-file.ts'
import { processorSecondsOf } from './processor-time.ts'
import { fullSizes } from './sizes.ts'
import type { Worker } from './worker.ts'

/**
 * `npm run cost [-- --documents N]`
 *
 * The cost of one analysis from its row in the file to its answer, and the cost of an idle worker.
 */
const { values } = parseArgs({ options: { documents: { type: 'string', default: '50000' } } })
const documents = Number(values.documents)
const idleMs = 30_000

type Spent = { worker: number; database: number; walBytes: number }

await using bench = await openBench(fullSizes)
endOnSignal(new Set([bench]))
await using ground = await openGround(bench, { config: openFifty })
const { worker, client } = ground

const idle = await during(() => pause(idleMs))
const keptBefore = await keptBytes(client)
const busy = await during(async () => {
  const batch = await client.submit(await peopleFile(bench, documents))
  await client.until(batch, ({ finishedAt }) => finishedAt, 1_000)
})
const kept = (await keptBytes(client)) - keptBefore
const figure = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 })
const perLookup = (sum: number) => figure(sum / documents)
const msPerSecond = (seconds: number) => figure((seconds / idleMs) * 1e6)

console.log(
  renderTable(
    [
      ['worker, per analysis', perLookup(busy.worker * 1e6), 'µs of a processor'],
      ['database, per analysis', perLookup(busy.database * 1e6), 'µs of a processor'],
      ['write-ahead log, per analysis', perLookup(busy.walBytes), 'bytes'],
      ['kept in the database, per analysis', perLookup(kept), 'bytes'],
      ['a worker with nothing to do', msPerSecond(idle.worker), 'ms of a processor per second'],
      ['its database', msPerSecond(idle.database), 'ms of a processor per second'],
    ],
    [
      ['what', ([what]) => what],
      ['value', ([, value]) => value, 'right'],
      ['unit', ([, , unit]) => unit],
    ],
  ),
)

async function during(act: () => Promise<unknown>): Promise<Spent> {
  const before = await readMeters(bench, worker, client)
  await act()
  const after = await readMeters(bench, worker, client)
  return {
    worker: after.worker - before.worker,
    database: after.database - before.database,
    walBytes: after.walBytes - before.walBytes,
  }
}

async function readMeters({ server }: Bench, { pid }: Worker, { sql }: Client): Promise<Spent> {
  const [wal] = await sql<[{ bytes: string }]>`select pg_current_wal_insert_lsn() - '0/0' as bytes`
  return {
    worker: await processorSecondsOf(pid),
    database: await server.processorSeconds(),
    walBytes: Number(wal.bytes),
  }
}

/** The size of the database after a vacuum; the files keep their largest size. */
async function keptBytes({ sql }: Client): Promise<number> {
  await sql`vacuum`
  const [size] = await sql<[{ bytes: string }]>`select pg_database_size(current_database()) as bytes`
  return Number(size.bytes)
}
