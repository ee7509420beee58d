import { setTimeout as pause } from 'node:timers/promises'
import { type ScheduledTask, schedule } from 'node-cron'
import { claimDuePortfolios } from '../store/portfolios/runs.ts'
import { forgetSchedule, insertSweep, type RunName, type SweepName, sweepNames } from '../store/radars/sweeps.ts'
import { createTrigger, type ScheduleTools, type Trigger } from './trigger.ts'

type ScheduleSettings = {
  timezone: string
  sweeps: Record<SweepName, string | null>
  radarSweep: { businessDaysOnly: boolean }
}

type Schedules = {
  /** When a sweep is due next. Null if its schedule is off. */
  nextRun(name: string): Date | null
  stop(): Promise<void>
}

/**
 * Triggers each schedule at its own time, at start, and once a minute for missed slots and for portfolios.
 *
 * node-cron only gives the signal. The database decides who sweeps (see `createTrigger`), so any number of workers may
 * run this.
 */
export const startSchedules = async (
  tools: Omit<ScheduleTools, 'timezone'> & { settings: ScheduleSettings },
): Promise<Schedules> => {
  const { settings } = tools
  const { timezone } = settings
  const triggers: Trigger[] = []
  const tasks = new Map<string, ScheduledTask>()
  const runs = { name: 'portfolio' as const, trigger: async () => (await triggerPortfolios(tools)) > 0 }
  const triggerAll = () => Promise.all([...triggers, runs].map((trigger) => triggerSafely(trigger, tools)))
  for (const name of sweepNames) {
    const expression = settings.sweeps[name]
    if (!expression) {
      await forgetSchedule(tools.sql, name)
      continue
    }
    const businessDaysOnly = name === 'radars' && settings.radarSweep.businessDaysOnly
    const trigger = await createTrigger({ ...tools, timezone }, { name, expression, businessDaysOnly })
    triggers.push(trigger)
    tasks.set(
      name,
      schedule(expression, () => triggerSafely(trigger, tools), { ...cronOptions, timezone, name }),
    )
  }
  tasks.set('missed slots', schedule('* * * * *', triggerAll, { ...cronOptions, name: 'missed slots' }))
  await triggerAll()
  return {
    nextRun: (name) => tasks.get(name)?.getNextRun() ?? null,
    async stop() {
      await Promise.all([...tasks.values()].map((task) => task.destroy()))
    },
  }
}

/**
 * Begins a run of each portfolio that is due; returns how many.
 *
 * Like a schedule's trigger, a call decides nothing. Whoever claims the row of a portfolio starts its run, in one
 * transaction, and until that run has ended the portfolio is not due again. A run that was missed while every worker
 * was down is made up once.
 */
export const triggerPortfolios = ({ sql, clock, enqueue, log }: Omit<ScheduleTools, 'timezone'>): Promise<number> =>
  sql.begin(async (tx) => {
    const now = clock()
    const due = await claimDuePortfolios(tx, now)
    for (const { id: portfolioId, dueAt } of due) {
      const slot = `${portfolioId} ${dueAt.toISOString()}`
      const id = await insertSweep(tx, { name: 'portfolio', slot, trigger: 'schedule', now, portfolioId })
      if (!id) continue
      await enqueue(tx, { name: 'portfolio', id })
      log.info({ sweep: 'portfolio', portfolio: String(portfolioId), id: String(id) }, 'sweep begins')
    }
    return due.length
  })

/** It does no harm if a signal comes late or not at all: a minute later the same slot is still due. */
const cronOptions = { noOverlap: true, suppressMissedWarning: true }

const triggerSafely = async (
  trigger: { name: RunName; trigger(): Promise<boolean> },
  { log }: Pick<ScheduleTools, 'log'>,
): Promise<void> => {
  await trigger
    .trigger()
    .catch((error) => log.warn({ sweep: trigger.name, err: error }, 'sweep not triggered: will retry in a minute'))
}

/** Runs a pass at once and again after each has ended, until it is stopped. A pass that fails does not stop the loop. */
export const repeat = (
  everyMs: number,
  pass: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pass().catch(onError)
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = loop()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
