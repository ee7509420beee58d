import { runSweep } from '../src/monitoring/sweep.ts'
import { syncUsage as readUsage } from '../src/monitoring/sync-usage.ts'
import { sweepQueues } from '../src/queue/queues.ts'
import { job } from './tools.ts'

/** Reconciles what the registry reports as consumed with our records. Reading twice writes the same days again. */
export const syncUsage = job({
  ...sweepQueues.usage,
  retries: 1_000,

  work({ sweepId }: { sweepId: string }, { signal, ...tools }) {
    return runSweep(tools, BigInt(sweepId), () => readUsage(tools, signal))
  },
})
