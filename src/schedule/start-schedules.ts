import { setTimeout as pause } from 'node:timers/promises'
import { parse, type ScheduledTask, schedule } from 'node-cron'
import { isBusinessDay, lastSlot, localMinute, type SlotFields } from '../domain/calendar.ts'
import type { Database, Sql } from '../store/connect.ts'
import { claimDuePortfolios } from '../store/portfolios/runs.ts'
import {
  forgetSchedule,
  hasSlot,
  insertSweep,
  type RunName,
  registerSchedule,
  runningSweeps,
  type SweepName,
  sweepNames,
} from '../store/radars/sweeps.ts'

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

type LogMethod = (facts: object, phrase: string) => void

type ScheduleTools = {
  sql: Database
  timezone: string
  clock: () => Date
  /** Puts the sweep's job into its queue, in the transaction that claimed the slot. */
  enqueue: (tx: Sql, sweep: { name: RunName; id: bigint }) => Promise<void>
  log: { debug: LogMethod; info: LogMethod; warn: LogMethod }
}

export type Trigger = {
  name: SweepName
  /** Claims the slot that is due now, if nobody has. True if this call started a sweep. */
  trigger(): Promise<boolean>
}

/** A sweep that starts within this time counts as punctual: a signal may come late by the length of a garbage collection. */
const punctualMs = 2 * 60_000

/**
 * Makes the trigger of one schedule.
 *
 * A call decides nothing by itself. It finds the slot that was last due on the wall clock, and the unique row of that
 * slot decides which of all workers starts the sweep. So it may be called by anyone, any number of times. A slot that
 * passed while every worker was down is made up once, at the first call after, until the next slot takes its place.
 */
export const createTrigger = async (
  tools: ScheduleTools,
  schedule: { name: SweepName; expression: string; businessDaysOnly: boolean },
): Promise<Trigger> => {
  const { name, expression, businessDaysOnly } = schedule
  const fields: SlotFields = parse(expression)
  const dueAt = (now: Date) =>
    lastSlot(fields, localMinute(now, tools.timezone), businessDaysOnly ? isBusinessDay : undefined)
  const since = await registerSchedule(tools.sql, {
    name,
    expression,
    since: localMinute(tools.clock(), tools.timezone),
  })
  let done: string | null = null
  let waiting: string | null = null

  return {
    name,
    async trigger() {
      const now = tools.clock()
      const slot = dueAt(now)
      if (!slot || slot < since || slot === done) return false
      const lateMs = Date.parse(`${localMinute(now, tools.timezone)}:00Z`) - Date.parse(`${slot}:00Z`)
      const trigger = lateMs > punctualMs ? 'missed' : 'schedule'
      const made = await tools.sql.begin(async (tx) => {
        const id = await insertSweep(tx, { name, slot, trigger, now })
        if (id) await tools.enqueue(tx, { name, id })
        return id
      })
      if (made || (await hasSlot(tools.sql, name, slot))) done = slot
      else if (waiting !== slot) {
        waiting = slot
        await wake(tools, name)
        tools.log.warn({ sweep: name, slot }, 'sweep delayed: the previous one is still running')
      }
      // A sweep of a single pass logs its result at its end, if it found anything.
      const say = name === 'radars' ? 'info' : 'debug'
      if (made) tools.log[say]({ sweep: name, slot, id: String(made), trigger }, 'sweep begins')
      return made !== null
    },
  }
}

/** If the sweep's job was lost or failed too often, nothing else ends the sweep. A queued or active job is not repeated. */
const wake = async ({ sql, enqueue }: ScheduleTools, name: SweepName): Promise<void> => {
  const running = (await runningSweeps(sql)).filter((sweep) => sweep.name === name)
  for (const sweep of running) await enqueue(sql, sweep)
}
