import { runSweep } from '../src/monitoring/sweep.ts'
import { syncUsage as compareBooks } from '../src/monitoring/sync-usage.ts'
import { sweepQueues } from '../src/queue/queues.ts'
import { job } from './tools.ts'

/** Lays what the registry says was consumed beside our own books. Reading twice writes the same days again. */
export const syncUsage = job({
  ...sweepQueues.usage,
  retries: 1_000,

  work({ sweepId }: { sweepId: string }, { signal, ...tools }) {
    return runSweep(tools, BigInt(sweepId), () => compareBooks(tools, signal))
  },
})
