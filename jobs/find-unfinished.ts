import { findUnfinished as setGoing } from '../src/monitoring/find-unfinished.ts'
import { sweepQueues } from '../src/monitoring/queues.ts'
import { runSweep } from '../src/monitoring/run-sweep.ts'
import { job } from './tools.ts'

/** Sets going what stalled: look-ups without a job, batches that should be done, sweeps that nobody has in hand. */
export const findUnfinished = job({
  ...sweepQueues.unfinished,
  retries: 10,

  work({ sweepId }: { sweepId: string }, { signal, ...tools }) {
    return runSweep(tools, BigInt(sweepId), ({ id }) => setGoing(tools, id))
  },
})
