import { copyFile, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Message } from '../../src/messages/message.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { apart } from './apart.ts'
import type { Bench } from './bench.ts'
import { type Ground, openGround } from './ground.ts'
import { peopleFile } from './people-file.ts'
import { secondsSince } from './task.ts'

const lane = { organizationId: accounts[0].organizationId, kind: 'analysis' } as const

export type Imported = { rowsPerSecond: number; peakMiB: number }

/** A file of `rows` rows imported by a worker, once per round: several lines use the same run. */
export const importByVigia = (bench: Bench, rows: number, round: number): Promise<Imported> =>
  bench.once(`vigia imports ${rows} in round ${round}`, async () => {
    const file = await peopleFile(bench, rows)
    await using ground = await openHeld(bench)
    const batch = await ground.client.submit(file)
    const began = performance.now()
    await ground.client.until(batch, ({ importedAt }) => importedAt)
    const rowsPerSecond = rows / secondsSince(began)
    const { peakMiB } = await ground.worker.stop()
    return { rowsPerSecond, peakMiB }
  })

/** Rows a second from the submission of a file to its last row; for a workbook, with the conversion to text. */
export const importComplete = async (bench: Bench, file: string, rows: number): Promise<number> => {
  await using ground = await openHeld(bench)
  const began = performance.now()
  const batch = await ground.client.submit(file)
  await ground.client.until(batch, ({ importedAt }) => importedAt)
  return rows / secondsSince(began)
}

/** The peak memory of a worker that takes a file from its inbox, reads it and imports it, until it needs approval. */
export const importFromInbox = async (bench: Bench, file: string): Promise<number> => {
  const config = { budget: { confirmAbove: 0 }, import: { settle: '200ms' } }
  await using ground = await openGround(bench, { config, complete: true })
  const { worker, client } = ground
  await copyFile(file, join(worker.inbox, 'people.part'))
  await rename(join(worker.inbox, 'people.part'), join(worker.inbox, basename(file)))
  await client.until(1n, ({ state }) => state === 'unconfirmed', 200)
  return (await worker.stop()).peakMiB
}

/** Only the import is measured, so the lane is held. */
const openHeld = async (bench: Bench): Promise<Ground> => {
  const ground = await openGround(bench)
  const reason: Message = ['text', 'only the import is measured']
  await holdLane(ground.client.sql, lane, { cause: 'operator', reason, trialAt: null }, new Date())
  return ground
}

export const importByLimit = async (bench: Bench, rows: number): Promise<number> => {
  const file = await peopleFile(bench, rows)
  await using database = await bench.server.database()
  const done = await apart<{ seconds: number; rows: number }>('import-limit', { url: database.url, file })
  if (done.rows !== rows) throw new Error(`The limit imported ${done.rows} of ${rows} rows`)
  return rows / done.seconds
}
