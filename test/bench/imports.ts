import { accounts } from '../../src/sandbox/tokens.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { apart } from './apart.ts'
import type { Bench } from './bench.ts'
import { openClient } from './client.ts'
import { peopleFile } from './people-file.ts'
import { startRegistry } from './registry-process.ts'
import { secondsSince } from './task.ts'
import { startWorker } from './worker.ts'

const lane = { organizationId: accounts[0].organizationId, kind: 'analysis' } as const

export type Imported = { rowsPerSecond: number; peakMiB: number }

/** A file of so many rows imported by a worker, once per round: several lines look at the same run. */
export const importByVigia = (bench: Bench, rows: number, round: number): Promise<Imported> =>
  bench.once(`vigia imports ${rows} in round ${round}`, async () => {
    const file = await peopleFile(bench, rows)
    await using database = await bench.server.database()
    await using registry = await startRegistry()
    await using worker = await startWorker(bench, { databaseUrl: database.url, registryUrl: registry.url })
    await using client = await openClient(database.url)
    await holdLane(
      client.sql,
      lane,
      { cause: 'operator', reason: ['text', 'only the import is measured'], probeAt: null },
      new Date(),
    )
    const batch = await client.submit(file)
    const began = performance.now()
    await client.until(batch, ({ importedAt }) => importedAt)
    const rowsPerSecond = rows / secondsSince(began)
    const { peakMiB } = await worker.stop()
    return { rowsPerSecond, peakMiB }
  })

export const importByLimit = async (bench: Bench, rows: number): Promise<number> => {
  const file = await peopleFile(bench, rows)
  await using database = await bench.server.database()
  const done = await apart<{ seconds: number; rows: number }>('import-limit', { url: database.url, file })
  if (done.rows !== rows) throw new Error(`The limit imported ${done.rows} of ${rows} rows`)
  return rows / done.seconds
}
