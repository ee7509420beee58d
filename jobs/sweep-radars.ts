import { takeRadarSweepFurther } from '../src/monitoring/radar-sweep.ts'
import { sweepQueues } from '../src/queue/queues.ts'
import { enqueue } from '../src/queue/start-jobs.ts'
import { job } from './tools.ts'

/**
 * Checks every monitored document and reports what changed since the last sweep.
 *
 * It never occupies a worker while it waits: while look-ups are under way it puts itself back into the queue. A second
 * run of the same sweep sees in its rows what is done.
 */
export const sweepRadars = job({
  ...sweepQueues.radars,
  retries: 1_000,

  async work({ sweepId }: { sweepId: string }, { signal, ...tools }) {
    const wait = await takeRadarSweepFurther(tools, BigInt(sweepId), { signal })
    if (wait !== null) await enqueue(tools.boss, sweepQueues.radars, { sweepId }, undefined, wait)
  },
})
