import type { Taken } from '../../../src/queue/start-jobs.ts'
import type { Sql } from '../../../src/store/connect.ts'
import type { ModelDatabase } from '../store/database.ts'
import { on } from '../store/handle.ts'
import type { JobRecord } from '../store/tables.ts'
import { type Actor, createActor, type Schedule } from '../time/schedule.ts'

type Take = (job: Taken<object>) => Promise<void>
/** `wakesAt`: when it looks for a job next. */
type Taker = { worker: Actor; name: string; minPriority: number; take: Take; isBusy: boolean; wakesAt: number }
type NewJob = { id: string; data: object; priority: number }
type Sending = { key: string; afterMs: number; db: Sql | undefined }

/** What a worker has of the queue. */
export type Queue = {
  insert(name: string, jobs: NewJob[], options: { db: Sql }): Promise<void>
  /** One job, unless one of its key waits already. */
  send(name: string, data: object, options: Sending): Promise<void>
  take(name: string, take: Take, minPriority: number): void
}

/** The queue of a history: it lives in the model of the database, and gives the job of a dead worker to another. */
export type Queues = {
  of(worker: Actor): Queue
  /** Looks for jobs whose workers gave no sign of life: after a crash, or a pause that was long. */
  giveBackFrom(worker: Actor): void
  wake(name?: string): void
  /** The queue was restored or restarted: jobs that nobody works on are given back. */
  supervise(): void
  /** Sweeps have two jobs each until then, as where a job is given to another worker while the first still works. */
  doubleUntil(moment: number): void
}

/** A dead worker is noticed after its heartbeat. */
export const heartbeatMs = 10_000
const mostRetries = { ofLookups: 10, ofSweeps: 1_000 }
/** A sweep that failed is not tried again at once. */
const retryDelayMs = 1_000
const pollMs = 500
const twin = 'again '

export const createQueues = (schedule: Schedule, model: ModelDatabase, latency: () => number): Queues => {
  const takers: Taker[] = []
  const holders = new Map<string, Actor>()
  let inserted = 0
  let doubledUntil = 0

  const wake = (name?: string): void => {
    for (const taker of takers) {
      if (name && taker.name !== name) continue
      if (taker.isBusy || taker.worker.isDead || !firstOf(model, taker, schedule.now)) continue
      lookAt(taker, schedule.now + latency())
    }
  }

  const lookAt = (taker: Taker, at: number): void => {
    if (taker.wakesAt <= at) return
    taker.wakesAt = at
    schedule.at(at, taker.worker, () => next(taker))
  }

  const next = (taker: Taker): void => {
    taker.wakesAt = Number.POSITIVE_INFINITY
    if (taker.isBusy) return
    const job = firstOf(model, taker, schedule.now)
    if (!job) return
    taker.isBusy = true
    model.statement(() => model.set(job, { state: 'active' }))
    const { retryCount } = job
    holders.set(job.id, taker.worker)
    const ended = (failed: boolean): void => {
      taker.isBusy = false
      end(job.id, taker.worker, retryCount, failed)
      lookAt(taker, schedule.now + latency())
    }
    const taken = { id: job.id, name: job.name, data: job.data, retryCount } as unknown as Taken<object>
    taker.take(taken).then(
      () => ended(false),
      () => ended(true),
    )
  }

  /** Whoever lost its job to another ends nothing. */
  const end = (id: string, worker: Actor, retryCount: number, failed: boolean): void => {
    const job = model.tables.jobs.get(id)
    if (job?.state !== 'active' || job.retryCount !== retryCount || holders.get(id) !== worker) return
    if (failed) giveBack(job)
    else model.statement(() => model.drop(model.tables.jobs, id))
  }

  const giveBack = (job: JobRecord): void => {
    const [most, delayMs] = job.key ? [mostRetries.ofSweeps, retryDelayMs] : [mostRetries.ofLookups, 0]
    const startAt = schedule.now + delayMs
    model.statement(() => {
      if (job.retryCount >= most) model.drop(model.tables.jobs, job.id)
      else model.set(job, { state: 'retry', retryCount: job.retryCount + 1, startAt })
    })
    wakeAt(startAt, job.name)
  }

  const theQueue = createActor('the queue')

  const wakeAt = (at: number, name: string): void => {
    if (at <= schedule.now) wake(name)
    else schedule.at(at, theQueue, () => wake(name))
  }

  const send = (name: string, data: object, key: string, afterMs: number): void => {
    const { jobs } = model.tables
    for (const job of jobs.values()) if (job.key === key && job.name === name && job.state !== 'active') return
    const order = ++inserted
    const [id, createdAt] = [`${name} ${order}`, schedule.now]
    const times = { retryCount: 0, createdAt, startAt: createdAt + afterMs }
    model.put(jobs, id, { id, data, priority: 0, name, state: 'created', order, key, ...times })
    wakeAt(times.startAt, name)
    if (schedule.now < doubledUntil && !key.startsWith(twin)) send(name, data, twin + key, afterMs)
  }

  return {
    of: (worker) => ({
      async insert(name, jobs, { db }) {
        await on(db, ({ tables, put }) => {
          const createdAt = schedule.now
          for (const job of jobs) {
            const order = ++inserted
            const times = { retryCount: 0, createdAt, startAt: createdAt }
            put(tables.jobs, job.id, { ...job, name, state: 'created', order, key: null, ...times })
          }
        })
        wake(name)
      },
      async send(name, data, { key, afterMs, db }) {
        if (db) await on(db, () => send(name, data, key, afterMs))
        else model.statement(() => send(name, data, key, afterMs))
      },
      take(name, take, minPriority) {
        const taker = { worker, name, minPriority, take, isBusy: false, wakesAt: Number.POSITIVE_INFINITY }
        takers.push(taker)
        lookAt(taker, schedule.now + pollMs)
      },
    }),
    giveBackFrom(worker) {
      for (const job of [...model.tables.jobs.values()]) {
        if (job.state === 'active' && holders.get(job.id) === worker) giveBack(job)
      }
    },
    wake,
    doubleUntil(moment) {
      doubledUntil = moment
    },
    supervise() {
      const active = [...model.tables.jobs.values()].filter(({ state }) => state === 'active')
      const known = new Map(active.map((job) => [job, job.retryCount]))
      schedule.at(schedule.now + heartbeatMs, createActor('the queue'), () => {
        for (const [job, retryCount] of known) {
          if (model.tables.jobs.get(job.id) === job && job.state === 'active' && job.retryCount === retryCount)
            giveBack(job)
        }
      })
      wake()
    },
  }
}

const firstOf = ({ tables }: ModelDatabase, { name, minPriority }: Taker, now: number): JobRecord | null => {
  let first: JobRecord | null = null
  for (const job of tables.jobs.values()) {
    if (job.name !== name || job.state === 'active' || job.priority < minPriority || job.startAt > now) continue
    if (job.key !== null && isActive(tables.jobs, job.key)) continue
    const isBefore =
      !first || job.priority > first.priority || (job.priority === first.priority && job.order < first.order)
    if (isBefore) first = job
  }
  return first
}

const isActive = (jobs: ReadonlyMap<string, JobRecord>, key: string): boolean =>
  [...jobs.values()].some((job) => job.key === key && job.state === 'active')
