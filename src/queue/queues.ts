import type { RunName } from '../store/radars/sweeps.ts'

/** The queues of a batch. At most one job per batch waits in each. */
type BatchJob = { batchId: string }

const perBatch = ({ batchId }: BatchJob): string => batchId

export const importQueue = { name: 'import-batch', key: perBatch }
export const exportQueue = { name: 'export-batch', key: perBatch }

type SweepJob = { sweepId: string }

const perSweep = ({ sweepId }: SweepJob): string => sweepId

/** The queue of each sweep. At most one job per sweep waits in it. */
export const sweepQueues: Record<RunName, { name: string; key(job: SweepJob): string }> = {
  radars: { name: 'sweep-radars', key: perSweep },
  unfinished: { name: 'find-unfinished', key: perSweep },
  usage: { name: 'sync-usage', key: perSweep },
  purge: { name: 'purge-expired', key: perSweep },
  portfolio: { name: 'run-portfolio', key: perSweep },
}

export const alertQueue = { name: 'send-alert', key: ({ messageId }: { messageId: string }): string => messageId }
