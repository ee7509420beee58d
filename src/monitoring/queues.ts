import type { SweepName } from '../store/sweeps.ts'

type SweepJob = { sweepId: string }

const perSweep = ({ sweepId }: SweepJob): string => sweepId

/** The queue of each sweep; one job per sweep waits in it. */
export const sweepQueues: Record<SweepName, { name: string; key(job: SweepJob): string }> = {
  radars: { name: 'sweep-radars', key: perSweep },
  unfinished: { name: 'find-unfinished', key: perSweep },
  usage: { name: 'sync-usage', key: perSweep },
  purge: { name: 'purge-expired', key: perSweep },
}

export const alertQueue = { name: 'send-alert', key: ({ alertId }: { alertId: string }): string => alertId }
