import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { holdLane, resumeLane } from '../../src/store/fleet/lanes.ts'
import { apart } from './apart.ts'
import type { Bench } from './bench.ts'
import type { Client } from './client.ts'
import { openGround } from './ground.ts'
import { peopleFile } from './people-file.ts'
import { startRegistry } from './registry.ts'
import type { Database } from './server.ts'
import { secondsSince } from './task.ts'

const lane = { organizationId: accounts[0].organizationId, kind: 'analysis' } as const

export type LookupRun = { documents: number; scenario?: ScenarioPatch; workers: number; open: number }

/** Look-ups per second from the release of their lane to the end of their batch, with dispatch and fetch. */
export const lookUpByVigia = (bench: Bench, run: LookupRun): Promise<number> =>
  withWorkers(bench, run, async (client, batch) => {
    const began = performance.now()
    await resumeLane(client.sql, lane)
    await client.until(batch, ({ finishedAt }) => finishedAt)
    return run.documents / secondsSince(began)
  })

/** The database's processor time for one look-up, in microseconds. */
export const processorTimeOf = (bench: Bench, run: LookupRun): Promise<number> =>
  withWorkers(bench, run, async (client, batch) => {
    const before = await bench.server.processorSeconds()
    await resumeLane(client.sql, lane)
    await client.until(batch, ({ finishedAt }) => finishedAt, 500)
    return (((await bench.server.processorSeconds()) - before) / run.documents) * 1e6
  })

/** Seconds from the submission of a small file to its end, while a large one is under way. */
export const smallAmong = (bench: Bench, run: LookupRun, smallFile: string): Promise<number> =>
  withWorkers(bench, run, async (client, batch) => {
    await resumeLane(client.sql, lane)
    await client.until(batch, ({ spent }) => spent > 0)
    return timeOfFile(client, smallFile)
  })

/** The same on an idle worker that has finished a file before: a new worker takes longer. */
export const smallAlone = async (bench: Bench, run: LookupRun, smallFile: string, another: string): Promise<number> => {
  await using database = await bench.server.database()
  return await withWorkersOn(bench, database, run, async (client) => {
    await timeOfFile(client, another)
    return await timeOfFile(client, smallFile)
  })
}

const timeOfFile = async (client: Client, file: string): Promise<number> => {
  const began = performance.now()
  await client.until(await client.submit(file), ({ finishedAt }) => finishedAt)
  return secondsSince(began)
}

/** Workers on a copy of the database in which the file waits, its lane held. */
const withWorkers = async (
  bench: Bench,
  run: LookupRun,
  measure: (client: Client, batch: bigint) => Promise<number>,
): Promise<number> => {
  const imported = await importedFile(bench, run.documents)
  await using database = await bench.server.database(imported.database)
  // Awaited here, so that nothing is closed while it is used.
  return await withWorkersOn(bench, database, run, (client) => measure(client, imported.batch))
}

const withWorkersOn = async (
  bench: Bench,
  database: Database,
  { scenario, workers, open }: LookupRun,
  measure: (client: Client) => Promise<number>,
): Promise<number> => {
  const config = { concurrency: { worker: open, fleet: open * workers }, polling: askAtOnce }
  await using ground = await openGround(bench, { database, scenario, workers, config })
  return await measure(ground.client)
}

/** The sandbox of these lines is ready at once, so the first consultation need not wait its usual two seconds. */
const askAtOnce = { first: '1ms', max: '100ms' }

/** The same by another program or a hand-written loop, on the same database. */
export const lookUpByPeer = async (bench: Bench, task: string, documents: number, open: number): Promise<number> => {
  const imported = await importedFile(bench, documents)
  await using database = await bench.server.database(imported.database)
  await using registry = await startRegistry()
  const args = { url: database.url, registryUrl: registry.url, open }
  const { seconds, count } = await apart<{ seconds: number; count: number }>(task, args)
  if (count !== documents) throw new Error(`${task} looked up ${count} of ${documents} documents`)
  return documents / seconds
}

/** A database with an imported file whose lane is held, so that no call was made yet; each run gets a copy. */
const importedFile = (bench: Bench, documents: number): Promise<{ database: Database; batch: bigint }> =>
  bench.once(`imported ${documents}`, async () => {
    const database = await bench.server.database()
    await using ground = await openGround(bench, { database })
    const { client } = ground
    await holdLane(client.sql, lane, { cause: 'operator', reason: ['text', 'bench'], trialAt: null }, new Date())
    const batch = await client.submit(await peopleFile(bench, documents))
    await client.until(batch, ({ importedAt }) => importedAt)
    return { database, batch }
  })
