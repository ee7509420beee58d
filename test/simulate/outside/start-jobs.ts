import type { Taken } from '../../../src/queue/start-jobs.ts'
import type { Queue } from './queue.ts'

/** Takes jobs of a queue, one after the other. */
export const takeJobs = async <Payload extends object>(
  boss: Queue,
  name: string,
  take: (job: Taken<Payload>) => Promise<void>,
  minPriority = 0,
): Promise<void> => boss.take(name, take as (job: Taken<object>) => Promise<void>, minPriority)

/** Nobody of a history reads a report. */
export const enqueue = async (): Promise<void> => {}
