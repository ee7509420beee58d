import { endCancelled } from '../src/batches/pause-resume-cancel.ts'
import { closeSweepBatches } from '../src/monitoring/finish-radar-sweep.ts'
import type { MonitoringTools } from '../src/monitoring/monitoring-tools.ts'
import { enqueueSweep, runSweep, type SweepOutcome } from '../src/monitoring/sweep.ts'
import { countIdleJobs, releaseOrphans } from '../src/queue/boss-tables.ts'
import { alertQueue, exportQueue, importQueue, sweepQueues } from '../src/queue/queues.ts'
import { enqueue } from '../src/queue/start-jobs.ts'
import { findOwedBatches, findUncountedBatches, recount } from '../src/store/batches/counts.ts'
import { dropUnsealed } from '../src/store/batches/files.ts'
import { assignPayers, findHalfCancelled } from '../src/store/batches/payers.ts'
import type { Sql } from '../src/store/connect.ts'
import { owedMessages } from '../src/store/people/messages.ts'
import { failSweep, runningSweeps } from '../src/store/radars/sweeps.ts'
import { job } from './tools.ts'

/** Finds stalled work and repairs it: look-ups without a job, batches that should be done, sweeps without a job. */
export const findUnfinished = job({
  ...sweepQueues.unfinished,
  retries: 10,

  work({ sweepId }: { sweepId: string }, { signal, ...tools }) {
    return runSweep(tools, BigInt(sweepId), ({ id }) => repairStalled(tools, id))
  },
})

const minute = 60_000
/** Longer than the pause between two steps of any import, export or upload. */
const stalledAfterMs = 10 * minute
const day = 24 * 60 * minute

type Tools = Pick<MonitoringTools, 'sql' | 'boss' | 'clock' | 'log'>

/**
 * Finds stalled work, whatever the cause, and repairs it. Running it twice does no harm: each repair is guarded by the
 * state it repairs, and a job that is queued already is not queued again.
 */
export const repairStalled = async (tools: Tools, self: bigint): Promise<SweepOutcome> => {
  const { sql, clock, log } = tools
  const now = clock()
  const found = await makeRepairs(log, {
    lookupsWithoutJob: () => releaseOrphans(sql),
    jobsWithoutLookup: () => countIdleJobs(sql),
    batchesCancelled: () => endHalfCancelled(tools, now),
    lookupsTransferred: () => assignPayers(sql),
    batchesDone: () => finishUncounted(tools, now),
    batchesOwed: () => payOwed(tools, now),
    sweepsWoken: () => wakeSweeps(tools, now, self),
    sweepBatchesDone: () => closeSweepBatches(sql, now),
    messagesOwed: () => sendOwed(tools, now),
    uploadsCutOff: async () => (await dropUnsealed(sql, new Date(now.getTime() - day))).length,
  })
  if (found.lookupsWithoutJob + found.batchesDone > 0) log.warn(found, 'repaired stalled work')
  return { detail: found }
}

/** Makes the repairs one by one. If one fails, the others are still made, and all are tried again later. */
const makeRepairs = async <Name extends string>(
  log: Tools['log'],
  repairs: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> => {
  const found = {} as Record<Name, number>
  const failures: unknown[] = []
  for (const name of Object.keys(repairs) as Name[]) {
    found[name] = await repairs[name]().catch((error: unknown) => {
      log.error({ err: error, repair: name }, 'could not repair stalled work')
      failures.push(error)
      return 0
    })
  }
  if (failures.length > 0) throw failures[0]
  return found
}

/** Completes a cancellation that was interrupted. */
const endHalfCancelled = async ({ sql, boss }: Tools, now: Date): Promise<number> => {
  const half = await findHalfCancelled(sql)
  for (const { id } of half) {
    await sql.begin(async (tx) => exportAll(boss, tx, await endCancelled(tx, id, now)))
  }
  return half.length
}

const exportAll = async (boss: Tools['boss'], tx: Sql, ids: bigint[]): Promise<void> => {
  for (const id of ids) await enqueue(boss, exportQueue, { batchId: String(id) }, tx)
}

const finishUncounted = async ({ sql, boss }: Tools, now: Date): Promise<number> => {
  let done = 0
  for (const { id } of await findUncountedBatches(sql)) {
    done += await sql.begin(async (tx) => {
      const finished = await recount(tx, id, now)
      await exportAll(boss, tx, finished)
      return finished.length
    })
  }
  return done
}

const payOwed = async ({ sql, boss }: Tools, now: Date): Promise<number> => {
  const owed = await findOwedBatches(sql, new Date(now.getTime() - stalledAfterMs))
  for (const { id, owed: what } of owed) {
    await enqueue(boss, what === 'import' ? importQueue : exportQueue, { batchId: String(id) })
  }
  return owed.length
}

/** After three days without an accepted attempt a message is no longer worth sending. */
const sendOwed = async ({ sql, boss }: Tools, now: Date): Promise<number> => {
  const owed = await owedMessages(sql, {
    after: new Date(now.getTime() - 3 * day),
    before: new Date(now.getTime() - stalledAfterMs),
  })
  for (const { id } of owed) await enqueue(boss, alertQueue, { messageId: id })
  return owed.length
}

/** A sweep that has run for a day is given up, so that it does not keep the next one from running. */
const wakeSweeps = async ({ sql, boss }: Tools, now: Date, self: bigint): Promise<number> => {
  const running = (await runningSweeps(sql)).filter(({ id }) => id !== self)
  for (const sweep of running) {
    // The batch of a portfolio may wait for approval without limit.
    const lost = sweep.name !== 'portfolio' && now.getTime() - sweep.startedAt.getTime() > day
    if (lost) await failSweep(sql, sweep.id, { why: ['sweep_lost'], now })
    else await enqueueSweep(boss, undefined, sweep)
  }
  return running.length
}
