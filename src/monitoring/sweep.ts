import { localMinute } from '../domain/calendar.ts'
import { CallFailure } from '../domain/call-failure.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import type { Coverage } from '../domain/sweep.ts'
import { type Message, MessageError } from '../messages/message.ts'
import type { Boss } from '../queue/boss.ts'
import { sweepQueues } from '../queue/queues.ts'
import { enqueue } from '../queue/start-jobs.ts'
import { type Database, isPassing, type Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import {
  countFailure,
  failSweep,
  finishSweep,
  forgetFailures,
  insertSweep,
  type RunName,
  readSweep,
  runningSweeps,
  type Sweep,
  type SweepName,
} from '../store/radars/sweeps.ts'
import type { MonitoringTools } from './monitoring-tools.ts'

/** Puts the job of a claimed sweep into its queue, in the transaction that claimed it. */
export const enqueueSweep = (boss: Boss, tx: Sql | undefined, { name, id }: { name: RunName; id: bigint }) =>
  enqueue(boss, sweepQueues[name], { sweepId: String(id) }, tx)

/** Starts a sweep that a person wants now, whatever the schedule says, unless one of the same name is running. */
export const beginSweep = (
  { sql, boss }: { sql: Database; boss: Boss },
  { name, by, now, timezone }: { name: SweepName; by: string; now: Date; timezone: string },
): Promise<bigint> =>
  sql.begin(async (tx) => {
    const slot = `${localMinute(now, timezone)} by hand ${now.getTime()}`
    const id = await insertSweep(tx, { name, slot, trigger: 'operator', now })
    if (!id) throw new SweepRefusal(await alreadyRuns(tx, name))
    await enqueueSweep(boss, tx, { name, id })
    await recordAudit(tx, by, 'sweep', `sweep ${id}`, { name })
    return id
  })

const alreadyRuns = async (sql: Sql, name: SweepName): Promise<Message> => {
  const running = (await runningSweeps(sql)).find((sweep) => sweep.name === name)
  return ['sweep_runs', name, running?.startedAt.toISOString() ?? null, running?.id ?? null]
}

/** The result of a sweep; figures of its own go into `detail`. */
export type SweepOutcome = Partial<Omit<Coverage, 'unverified'>> & { detail: Record<string, unknown> }

/** A failing sweep is tried again by its queue. After this time it fails for good, so that the next one may run. */
const timeoutMs = 6 * 60 * 60_000

/** Runs a sweep that ends in one go and records its outcome. A sweep that is over is left alone. */
export const runSweep = async (
  { sql, clock, log }: Pick<MonitoringTools, 'sql' | 'clock' | 'log'>,
  sweepId: bigint,
  work: (sweep: Sweep) => Promise<SweepOutcome>,
): Promise<void> => {
  const sweep = await readSweep(sql, sweepId)
  if (sweep?.state !== 'running') return
  try {
    const outcome = await work(sweep)
    await finishSweep(sql, sweepId, { state: 'done', ...outcome, now: clock() })
    const level = didNothing(outcome) ? 'debug' : 'info'
    log[level]({ sweep: sweep.name, id: String(sweepId), ...outcome.detail }, 'sweep ends')
  } catch (error) {
    if (clock().getTime() - sweep.startedAt.getTime() < timeoutMs) throw error
    const why: Message = error instanceof CallFailure ? error.reason : ['text', (error as Error).message]
    await failSweep(sql, sweepId, { why, now: clock() })
    log.error({ sweep: sweep.name, id: String(sweepId), err: error }, 'sweep failed')
  }
}

/** A step of a sweep may fail this often in a row. Then the sweep fails, so that the next one may run. */
const mostFailures = 3

/**
 * Takes one step of a sweep that has many. The queue tries a failed step again. The last allowed failure in a row fails
 * the sweep and becomes its reason. A lost database connection or a stopping worker is not counted.
 */
export const tryStep = async <Result>(
  { sql, log }: Pick<MonitoringTools, 'sql' | 'log'>,
  sweepId: bigint,
  step: () => Promise<Result>,
  { giveUp, signal }: { giveUp: (why: Message) => Promise<unknown>; signal?: AbortSignal },
): Promise<Result | null> => {
  try {
    const result = await step()
    await forgetFailures(sql, sweepId)
    return result
  } catch (error) {
    if (signal?.aborted || isPassing(error) || (await countFailure(sql, sweepId)) < mostFailures) throw error
    log.error({ sweep: String(sweepId), err: error }, 'sweep failed')
    await giveUp(['failed_thrice', maskDocuments((error as Error).message).slice(0, 200)])
    return null
  }
}

/** Nothing was due and every count is zero: nobody wants to read that every ten minutes. */
const didNothing = ({ due = 0, changed = 0, detail }: SweepOutcome): boolean =>
  due + changed === 0 && Object.values(detail).every((figure) => typeof figure !== 'number' || figure === 0)

/** A request about a sweep that is not possible now; the message says why. */
export class SweepRefusal extends MessageError {
  override readonly name = 'SweepRefusal'
}
