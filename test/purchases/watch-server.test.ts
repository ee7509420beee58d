import { expect, test } from 'vitest'
import { writeHighWater } from '../../src/home/high-water.ts'
import { watchServer } from '../../src/purchases/watch-server.ts'
import type { Database } from '../../src/store/connect.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a worker that starts takes the heartbeat of another one in its home for no lost commit', async () => {
  const home = await temporaryFolder()
  const known = { identity: '1/00000001/5', sequence: 7n, at: new Date() }
  const server = { ...known, start: '1', remembered: known.identity, listReadAfter: new Date(0) }
  // The other worker's heartbeat is recorded before this worker does anything with the answer of the server.
  let heartbeat: Promise<void> | undefined
  const sql = (async () => {
    heartbeat ??= writeHighWater(home, { ...known, sequence: 8n })
    await heartbeat
    return [server]
  }) as unknown as Database
  const fleetClock = { observe: () => {}, steps: 0 }
  const log = { info: () => {}, warn: () => {} }
  const watch = await watchServer({ sql, home, clock: () => new Date(), fleetClock, timeoutMs: 60_000, log })
  expect(watch.current().forgot).toBe(false)
})
