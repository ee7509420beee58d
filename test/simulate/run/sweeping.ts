import type { MonitoringTools } from '../../../src/monitoring/monitoring-tools.ts'
import { type SweepTimeouts, takeRadarSweepFurther } from '../../../src/monitoring/radar-sweep.ts'
import { enqueueSweep } from '../../../src/monitoring/sweep.ts'
import { sweepQueues } from '../../../src/queue/queues.ts'
import { createTrigger, repeat } from '../../../src/schedule/start-schedules.ts'
import type { Queue } from '../outside/queue.ts'
import { enqueue, takeJobs } from '../outside/start-jobs.ts'
import type { RadarsPlan } from '../plan/plan.ts'
import { type termsOf, timezone } from './worker.ts'

type Tools = Omit<MonitoringTools, 'settings' | 'home'> & { terms: ReturnType<typeof termsOf> }

/** A night as long as the sweeps of a history are apart. */
const timeouts: SweepTimeouts = { look: 1_000, retry: 5_000, mostTries: 4, list: 20_000, window: 80_000 }

/** Lets a worker trigger sweeps, and take their jobs, as `jobs/sweep-radars.ts` does. */
export const startSweeping = async ({ terms, ...tools }: Tools, plan: RadarsPlan, begun: number): Promise<void> => {
  const forKind = { processes: terms, analysis: terms }
  const settings = { ...settingsOf(plan), forKind } as unknown as MonitoringTools['settings']
  const monitoring = { ...tools, settings, home: { outbox: '' } as MonitoringTools['home'] }
  const { sql, clock, log, boss } = tools
  const trigger = await createTrigger(
    { sql, clock, log, timezone, enqueue: (tx, sweep) => enqueueSweep(boss, tx, sweep) },
    { name: 'radars', expression: `*/${plan.everyMinutes} * * * *`, businessDaysOnly: false },
  )
  const isOver = (): boolean => clock().getTime() >= begun + plan.untilMs
  repeat(
    10_000,
    async () => isOver() || trigger.trigger(),
    () => {},
  )
  await takeJobs<{ sweepId: string }>(boss as unknown as Queue, sweepQueues.radars.name, async ({ data }) => {
    try {
      const wait = await takeRadarSweepFurther(monitoring, BigInt(data.sweepId), { timeouts })
      if (wait !== null) await enqueue(boss as unknown as Queue, sweepQueues.radars, data, undefined, wait)
    } catch (err) {
      log.error({ err }, 'job failed')
      throw err
    }
  })
}

const settingsOf = ({ refresh, analysisOn, analysisEvery, perBatch }: RadarsPlan) => ({
  timezone,
  radarSweep: { refresh, analysisOn, analysisEvery },
  rules: [],
  budget: { perBatch },
  purpose: { default: null },
  alerts: { webhook: 'https://alerts.invalid', email: null, slack: null, teams: null },
})
