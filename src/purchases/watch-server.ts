import { type HighWater, readHighWater, writeHighWater } from '../home/high-water.ts'
import type { Database } from '../store/connect.ts'
import { readServer, rememberServer, type Server } from '../store/fleet/workers.ts'

export type ServerWatch = {
  /**
   * The server that may be spent with, and since when its list must have been read. `lossUntil`: after the last loss that
   * the fleet knows of, when lists began to count again.
   */
  current(): { start: string; listReadAfter: Date; forgot: boolean; lossUntil: Date | null }
  /** Whether that server knows the shares of all workers: where it forgot some, their requests have ended by the time that lists count again. */
  knowsShares(start: string): boolean
  /** Looks at the server again, where anything suggests that it is another one. */
  verify(): Promise<void>
  /** Records a heartbeat of the fleet: the server that took it, and the fleet's sequence. */
  heartbeat(heartbeat: { sequence: bigint; start: string }): void
}

type Options = {
  sql: Database
  home: string
  clock: () => Date
  /** Counts how often the database's clock has stepped. */
  fleetClock: { observe(asked: number, at: Date, answered: number): void; readonly steps: number }
  /** How long a call that was begun before may still be processed, and be missing from the list. */
  timeoutMs: number
  log: { info(facts: object, phrase: string): void; warn(facts: object, phrase: string): void }
}

const writeEveryMs = 2_000

/**
 * Notices when the database may have lost purchases: restored from a copy, failed over to a standby that lagged, or simply
 * another one.
 *
 * This process and its home remember the server, its timeline and a sequence that only grows. After every start, and after
 * every restart of the server, paid lanes wait until the registry's list has been read again. If commits may be lost, or
 * the database's clock stepped, which dates the calls under way, they first wait for all calls under way to end.
 */
export const watchServer = async (options: Options): Promise<ServerWatch> => {
  const { sql, home, clock, fleetClock, timeoutMs, log } = options
  // Read before the server: another worker of this home may record a heartbeat that comes after the server's answer.
  const known = await readHighWater(home)
  let server = await readServer(sql)
  let sequence = server.sequence
  let listReadAfter = new Date(Math.max(clock().getTime(), server.listReadAfter.getTime()))
  let forgot = server.listReadAfter >= listReadAfter
  let lossUntil = server.listReadAfter.getTime() > 0 ? server.listReadAfter : null
  let writtenAt = 0
  let { steps } = fleetClock

  const after = (moment: Date): Date => new Date(Math.max(clock().getTime(), moment.getTime() + timeoutMs))

  const waitFor = async (because: string, since: Date): Promise<void> => {
    listReadAfter = since
    lossUntil = since
    forgot = true
    log.warn(
      { because, until: since.toISOString() },
      'the database may have lost purchases: paid lanes wait until the list of purchases is read again',
    )
    await rememberServer(sql, server.identity, since)
  }

  if (known && isOlderThan(server, known)) await waitFor(whyOlder(server, known), after(known.at))
  else if (server.remembered && !isSameDatabase(server, server.remembered)) {
    await waitFor('another server or database', after(clock()))
  } else await rememberServer(sql, server.identity, null)

  const verify = async (): Promise<void> => {
    // Read before the question: a heartbeat that arrives meanwhile knows more than the answer.
    const before: HighWater = { identity: server.identity, sequence, at: clock() }
    const asked = performance.now()
    const found = await readServer(sql)
    fleetClock.observe(asked, found.at, performance.now())
    const isAnother = found.start !== server.start
    const isOlder = isOlderThan(found, before)
    server = found
    if (found.listReadAfter > listReadAfter) {
      listReadAfter = found.listReadAfter
      lossUntil = listReadAfter
      forgot = true
    }
    const hasStepped = fleetClock.steps !== steps
    steps = fleetClock.steps
    if (isOlder) sequence = found.sequence
    if (isOlder) return waitFor(whyOlder(found, before), after(hasStepped ? clock() : before.at))
    if (hasStepped) return waitFor('its clock stepped, or this machine was suspended', after(clock()))
    if (!isAnother) return
    listReadAfter = clock()
    log.info({}, 'the database was restarted: the list of purchases is read again before more is bought')
  }

  return {
    current: () => ({ start: server.start, listReadAfter, forgot, lossUntil }),
    knowsShares: (start) => start === server.start && !(forgot && listReadAfter > clock()),
    verify,
    heartbeat(heartbeat) {
      const isSame = heartbeat.start === server.start && heartbeat.sequence >= sequence && fleetClock.steps === steps
      if (!isSame) return void verify().catch(() => {})
      sequence = heartbeat.sequence
      if (performance.now() - writtenAt < writeEveryMs) return
      writtenAt = performance.now()
      writeHighWater(home, { identity: server.identity, sequence, at: clock() }).catch(() => {})
    },
  }
}

const isOlderThan = (server: Server, known: HighWater): boolean =>
  !isSameDatabase(server, known.identity) || server.sequence < known.sequence

const whyOlder = (server: Server, known: HighWater): string =>
  isSameDatabase(server, known.identity) ? 'an older copy' : 'another server, timeline or database'

/** Version 0.2 remembered the server without the database. */
const isSameDatabase = ({ identity }: Server, known: string): boolean =>
  identity === known || identity.startsWith(`${known}/`)
