import { takeRadarSweepFurther } from '../src/monitoring/radar-sweep.ts'
import { sweepQueues } from '../src/queue/queues.ts'
import { enqueue } from '../src/queue/start-jobs.ts'
import { job } from './tools.ts'

/**
 * Looks at every monitored document, and says what changed since the last look.
 *
 * It never waits in a worker's hands: while look-ups are under way it puts itself back into the queue. A second run of
 * the same sweep finds in its rows what is done.
 */
export const sweepRadars = job({
  ...sweepQueues.radars,
  retries: 1_000,

  async work({ sweepId }: { sweepId: string }, { signal, ...tools }) {
    const wait = await takeRadarSweepFurther(tools, BigInt(sweepId), { signal })
    if (wait !== null) await enqueue(tools.boss, sweepQueues.radars, { sweepId }, undefined, wait)
  },
})
