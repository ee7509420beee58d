import { sweepQueues } from '../../../src/queue/queues.ts'
import type { Taken } from '../../../src/queue/start-jobs.ts'
import type { Sql } from '../../../src/store/connect.ts'
import type { Queue } from './queue.ts'

/** Takes jobs of a queue, one after the other. */
export const takeJobs = async <Payload extends object>(
  boss: Queue,
  name: string,
  take: (job: Taken<Payload>) => Promise<void>,
  minPriority = 0,
): Promise<void> => boss.take(name, take as (job: Taken<object>) => Promise<void>, minPriority)

/** Only sweeps: nobody of a history reads a report. */
export const enqueue = async <Payload extends object>(
  boss: Queue,
  job: { name: string; key?(payload: Payload): string },
  payload: Payload,
  db?: Sql,
  afterMs = 0,
): Promise<void> => {
  if (job.name === sweepQueues.radars.name) await boss.send(job.name, payload, { key: job.key!(payload), afterMs, db })
}
