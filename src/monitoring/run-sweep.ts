import type { Coverage } from '../domain/coverage.ts'
import { finishSweep, readSweep, type Sweep } from '../store/sweeps.ts'
import type { MonitoringTools } from './monitoring-tools.ts'

/** What a sweep found; figures of its own go into `detail`. */
export type SweepOutcome = Partial<Omit<Coverage, 'unverified'>> & { detail: Record<string, unknown> }

/** A sweep that fails is tried again by its queue; after this long it is given up, so that the next one may run. */
const patienceMs = 6 * 60 * 60_000

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
    if (clock().getTime() - sweep.startedAt.getTime() < patienceMs) throw error
    const reason = (error as Error).message
    await finishSweep(sql, sweepId, { state: 'failed', detail: { reason }, now: clock() })
    log.error({ sweep: sweep.name, id: String(sweepId), err: error }, 'sweep given up')
  }
}

/** Nothing was due, and no count of its own is above zero: nobody wants to read that every ten minutes. */
const didNothing = ({ due = 0, changed = 0, detail }: SweepOutcome): boolean =>
  due + changed === 0 && Object.values(detail).every((figure) => typeof figure !== 'number' || figure === 0)
