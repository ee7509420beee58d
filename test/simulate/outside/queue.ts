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

/** What a worker has of the queue. */
export type Queue = {
  insert(name: string, jobs: NewJob[], options: { db: Sql }): Promise<void>
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
}

/** A dead worker is noticed after its heartbeat. */
export const heartbeatMs = 10_000
const mostRetries = 10
const pollMs = 500

export const createQueues = (schedule: Schedule, model: ModelDatabase, latency: () => number): Queues => {
  const takers: Taker[] = []
  const holders = new Map<string, Actor>()
  let inserted = 0

  const wake = (name?: string): void => {
    for (const taker of takers) {
      if (name && taker.name !== name) continue
      if (taker.isBusy || taker.worker.isDead || !firstOf(model, taker)) continue
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
    const job = firstOf(model, taker)
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
    model.statement(() => {
      if (job.retryCount >= mostRetries) model.drop(model.tables.jobs, job.id)
      else model.set(job, { state: 'retry', retryCount: job.retryCount + 1 })
    })
    wake(job.name)
  }

  return {
    of: (worker) => ({
      async insert(name, jobs, { db }) {
        await on(db, ({ tables, put }) => {
          const createdAt = schedule.now
          for (const job of jobs) {
            const order = ++inserted
            put(tables.jobs, job.id, { ...job, name, state: 'created', retryCount: 0, createdAt, order })
          }
        })
        wake(name)
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

const firstOf = ({ tables }: ModelDatabase, { name, minPriority }: Taker): JobRecord | null => {
  let first: JobRecord | null = null
  for (const job of tables.jobs.values()) {
    if (job.name !== name || job.state === 'active' || job.priority < minPriority) continue
    const isBefore =
      !first || job.priority > first.priority || (job.priority === first.priority && job.order < first.order)
    if (isBefore) first = job
  }
  return first
}
