import { purgeExpired as deleteExpired } from '../src/monitoring/purge-expired.ts'
import { runSweep } from '../src/monitoring/sweep.ts'
import { sweepQueues } from '../src/queue/queues.ts'
import { job } from './tools.ts'

/** Deletes what is older than its retention. */
export const purgeExpired = job({
  ...sweepQueues.purge,
  retries: 100,

  work({ sweepId }: { sweepId: string }, { signal, ...tools }) {
    return runSweep(tools, BigInt(sweepId), () => deleteExpired(tools))
  },
})
