import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database, Sql } from '../store/connect.ts'
import {
  databaseTime,
  forgetWorkers,
  type Heartbeat,
  heartbeatOn,
  joinWorkers,
  leaveWorkers,
  listWorkers,
  recordHeartbeat,
  takeTurn,
  type Worker,
} from '../store/fleet/workers.ts'

/** The bound of this process: how many requests may be open, and how many are. */
type Bound = { ceiling: number; readonly open: number; isCurrent?: () => boolean }

type FleetOptions = {
  sql: Database
  bound: Bound
  perWorker: number
  overall: number
  requestTimeoutMs: number
  /** False for a command, which leaves supervision to the workers. */
  maySupervise?: boolean
  clock: Pick<FleetClock, 'observe'>
  /** Whether this server knows the shares of all workers; one that was restored or failed over may have forgotten some. */
  knowsShares?: (start: string) => boolean
  /** Called after each committed heartbeat: which server took it, and how far the fleet has come. */
  onHeartbeat: (heartbeat: { sequence: bigint; start: string }) => void
  onError: (error: unknown) => void
}

/**
 * `size` is how many workers there are, including this one, by the last heartbeat. One of them `supervises` for all. For a
 * moment that may be two or none, so supervision must be harmless if it is done twice or a few seconds late.
 */
export type Membership = { id: string; size(): number; supervises(): boolean; leave(): Promise<void> }

const heartbeatEveryMs = 1_000
/** A worker that could not renew its lease for this long supervises no more. */
const leaseMs = 5_000
/** A worker that could not renew its share for this long sends nothing more. */
const fencedAfterMs = 10_000

/**
 * Takes this worker's share of the fleet's bound, and divides the bound again as workers come and go.
 *
 * A share shrinks only as fast as requests end, and grows only into what the others have let go, so the sum of all
 * shares never passes the bound. A silent worker's share is freed when its last request must have ended. So a share is
 * worth nothing once it was not renewed for long, and each request asks when it leaves: a process that was stopped, or whose
 * machine was suspended, processes replies before any timer of it runs.
 */
export const joinFleet = async (options: FleetOptions): Promise<Membership> => {
  const { sql, bound } = options
  const id = randomUUID()
  bound.ceiling = 0
  await joinWorkers(sql, { id, host: hostname(), pid: process.pid })
  const mayForget = watchOthers(longestSilenceMs(options))
  let renewed = readClocks()
  let beating: Promise<void> = Promise.resolve()
  let isBeating = false
  let size = 1
  let supervises = false

  const renew = async (): Promise<void> => {
    const sent = readClocks()
    isBeating = true
    try {
      const { allowed, sequence, start, workers, at, ...turn } =
        (await keepShare(options, id, mayForget)) ?? (await renewShare(options, id, mayForget))
      options.clock.observe(sent.monotonic, at, performance.now())
      renewed = sent
      const granted = (options.knowsShares?.(start) ?? true) ? allowed : Math.min(bound.ceiling, allowed)
      bound.ceiling = isFenced() ? 0 : granted
      size = workers.length
      supervises = turn.supervises
      options.onHeartbeat({ sequence, start })
    } catch (error) {
      options.onError(error)
      if (isFenced()) bound.ceiling = 0
    } finally {
      isBeating = false
    }
  }
  const isFenced = (): boolean => performance.now() - renewed.monotonic > fencedAfterMs
  bound.isCurrent = () => !isFenced() && !wasSuspendedSince(renewed)
  await renew()
  const timer = setInterval(() => {
    // A heartbeat that gets no answer does not fail either.
    if (isFenced()) bound.ceiling = 0
    if (!isBeating) beating = renew()
  }, heartbeatEveryMs)

  return {
    id,
    size: () => size,
    supervises: () => supervises && performance.now() - renewed.monotonic < leaseMs,
    async leave() {
      clearInterval(timer)
      await beating
      bound.ceiling = 0
      await leaveWorkers(sql, id)
    },
  }
}

type Clocks = { monotonic: number; wall: number }

const readClocks = (): Clocks => ({ monotonic: performance.now(), wall: Date.now() })

/** Only the wall clock counts the time during which a machine was suspended. One that stepped costs a heartbeat. */
const wasSuspendedSince = ({ monotonic, wall }: Clocks): boolean =>
  Math.abs(Date.now() - wall - (performance.now() - monotonic)) > stepMs

const takerOf = ({ maySupervise = true }: FleetOptions, id: string) => ({ id, maySupervise })

/** A heartbeat, and how many requests this worker may have open from now on. */
type Renewed = Heartbeat & { allowed: number }

/** A heartbeat while the set of workers is stable, which is nearly always; null if the bound must be divided again. */
const keepShare = async (
  options: FleetOptions,
  id: string,
  mayForget: (worker: Worker) => boolean,
): Promise<Renewed | null> => {
  const heartbeat = await heartbeatOn(options.sql, takerOf(options, id), options.bound.open)
  const own = heartbeat?.workers.find((worker) => worker.id === id)
  if (!heartbeat || !own || heartbeat.workers.filter(mayForget).length > 0) return null
  const allowed = shareOf(heartbeat.workers, id, options.perWorker, options.overall)
  return allowed === own.share ? { ...heartbeat, allowed } : null
}

/** Divides the bound: everyone else who would do that waits meanwhile. */
const renewShare = async (
  options: FleetOptions,
  id: string,
  mayForget: (worker: Worker) => boolean,
): Promise<Renewed> =>
  options.sql.begin(async (tx) => {
    const { bound, perWorker, overall } = options
    const turn = await takeTurn(tx, takerOf(options, id))
    const gone = (await listWorkers(tx)).filter((worker) => worker.id !== id && mayForget(worker))
    await forgetWorkers(
      tx,
      gone.map((worker) => worker.id),
    )
    await joinWorkers(tx, { id, host: hostname(), pid: process.pid })
    const workers = await listWorkers(tx)
    const allowed = shareOf(workers, id, perWorker, overall)
    // Lowered before the open requests are counted: from here on they can only decrease, and the recorded share covers
    // them.
    bound.ceiling = Math.min(bound.ceiling, allowed)
    await recordHeartbeat(tx, id, Math.max(allowed, bound.open), bound.open)
    return { ...turn, allowed, workers }
  })

/**
 * Which other workers send nothing more, so that their share is free: a process of this machine that died, a second after that
 * was noticed, and a worker whose heartbeat stayed the same for as long as its last request may take.
 *
 * Both are measured by the monotonic clock of this process: a clock of the database that steps makes nobody silent.
 */
const watchOthers = (longestMs: number) => {
  const seen = new Map<string, { heartbeat: number; since: number; diedAt: number | null }>()
  return (worker: Worker): boolean => {
    const now = performance.now()
    const heartbeat = worker.heartbeatAt.getTime()
    const known = seen.get(worker.id)
    const last = known?.heartbeat === heartbeat ? known : { heartbeat, since: now, diedAt: known?.diedAt ?? null }
    if (diedHere(worker)) last.diedAt ??= now
    seen.set(worker.id, last)
    return now - last.since > longestMs || (last.diedAt !== null && now - last.diedAt > requestsArriveWithinMs)
  }
}

const requestsArriveWithinMs = 1_000

/** A worker that is silent for so long sends nothing more, and what it had sent has ended. */
const longestSilenceMs = ({ requestTimeoutMs }: FleetOptions): number => fencedAfterMs + requestTimeoutMs + 5_000

/** This worker's even part of the bound, but never more than the others have released. */
export const shareOf = (
  workers: Pick<Worker, 'id' | 'share'>[],
  id: string,
  perWorker: number,
  overall: number,
): number => {
  const place = workers.findIndex((worker) => worker.id === id)
  const even = Math.floor(overall / workers.length) + (place < overall % workers.length ? 1 : 0)
  const taken = workers.filter((worker) => worker.id !== id).reduce((sum, worker) => sum + worker.share, 0)
  return Math.max(0, Math.min(even, perWorker, overall - taken))
}

const diedHere = ({ host, pid }: Worker): boolean => {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** The time of the fleet, which is the database's. */
export type FleetClock = {
  read(): Date
  /** Records the database's time: it lies between the question and the answer, by this process's own clock. */
  observe(asked: number, at: Date, answered: number): void
  /** How often the database's clock has stepped, or this machine was suspended: earlier dates may be wrong. */
  readonly steps: number
}

/** More than a clock drifts between two heartbeats, and less than the margin of `judgedAfterMs`. */
const stepMs = 1_000

/**
 * The database's time, continued by this process's monotonic clock between two heartbeats.
 *
 * A machine whose wall clock is wrong, or steps, would otherwise judge calls of others that are still under way, spend the
 * budget of another day and end look-ups early. The offset is corrected only as far as the database's answers prove.
 */
export const startFleetClock = async (sql: Sql): Promise<FleetClock> => {
  const asked = performance.now()
  const at = await databaseTime(sql)
  let offset = at.getTime() - (asked + performance.now()) / 2
  let steps = 0
  return {
    read: () => new Date(performance.now() + offset),
    observe(asked, at, answered) {
      const proven = Math.min(Math.max(offset, at.getTime() - answered), at.getTime() - asked)
      if (Math.abs(proven - offset) > stepMs) steps++
      offset = proven
    },
    get steps() {
      return steps
    },
  }
}
