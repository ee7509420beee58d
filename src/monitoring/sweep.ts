import { localMinute } from '../domain/calendar.ts'
import { CallFailure } from '../domain/call-failure.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import type { Message } from '../domain/messages/message.ts'
import { MessageError } from '../domain/messages/message-error.ts'
import type { Coverage } from '../domain/sweep.ts'
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

/** A sweep that a person wants now, whatever the schedule says; one of the same name that runs is not doubled. */
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

/** What a sweep found; figures of its own go into `detail`. */
export type SweepOutcome = Partial<Omit<Coverage, 'unverified'>> & { detail: Record<string, unknown> }

/** A sweep that fails is tried again by its queue; after this long it is given up, so that the next one may run. */
const timeoutMs = 6 * 60 * 60_000

/** Runs a sweep that ends in one go, and writes down how; one that is over already is left alone. */
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
    const say = didNothing(outcome) ? 'debug' : 'info'
    log[say]({ sweep: sweep.name, id: String(sweepId), ...outcome.detail }, 'sweep ends')
  } catch (error) {
    if (clock().getTime() - sweep.startedAt.getTime() < timeoutMs) throw error
    const why: Message = error instanceof CallFailure ? error.reason : ['text', (error as Error).message]
    await failSweep(sql, sweepId, { why, now: clock() })
    log.error({ sweep: sweep.name, id: String(sweepId), err: error }, 'sweep given up')
  }
}

/** A step of a sweep may fail so often in a row; then the sweep is given up, so that the next one may run. */
const mostFailures = 3

/**
 * Takes one step of a sweep that has many. One that fails is tried again by its queue; the last failure in a row gives the
 * sweep up, and is told as the reason. A database that cannot be reached is waited for, and so is a worker that stops.
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
    log.error({ sweep: String(sweepId), err: error }, 'sweep given up')
    await giveUp(['failed_thrice', maskDocuments((error as Error).message).slice(0, 200)])
    return null
  }
}

/** Nothing was due, and no count of its own is above zero: nobody wants to read that every ten minutes. */
const didNothing = ({ due = 0, changed = 0, detail }: SweepOutcome): boolean =>
  due + changed === 0 && Object.values(detail).every((figure) => typeof figure !== 'number' || figure === 0)

/** A sweep cannot do what a person asks of it now; the message says why. */
export class SweepRefusal extends MessageError {
  override readonly name = 'SweepRefusal'
  readonly exitCode = 1
}
