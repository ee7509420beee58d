import { localMinute } from '../domain/local-time.ts'
import type { Boss } from '../queue/boss.ts'
import { enqueue } from '../queue/start-jobs.ts'
import { recordAudit } from '../store/audit.ts'
import type { Database, Sql } from '../store/connect.ts'
import { insertSweep, runningSweeps, type SweepName } from '../store/sweeps.ts'
import { sweepQueues } from './queues.ts'
import { SweepRefusal } from './sweep-refusal.ts'

/** Puts the job of a claimed sweep into its queue, in the transaction that claimed it. */
export const enqueueSweep = (boss: Boss, tx: Sql | undefined, { name, id }: { name: SweepName; id: bigint }) =>
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

const alreadyRuns = async (sql: Sql, name: SweepName): Promise<string> => {
  const running = (await runningSweeps(sql)).find((sweep) => sweep.name === name)
  const since = running ? ` since ${running.startedAt.toISOString()} (sweep ${running.id})` : ''
  return `A sweep of ${name} already runs${since}: 'vigia sweeps' shows how far it is`
}
