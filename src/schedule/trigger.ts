import { parse } from 'node-cron'
import { isBusinessDay, lastSlot, localMinute, type SlotFields } from '../domain/calendar.ts'
import type { Database, Sql } from '../store/connect.ts'
import {
  hasSlot,
  insertSweep,
  type RunName,
  registerSchedule,
  runningSweeps,
  type SweepName,
} from '../store/radars/sweeps.ts'

type LogMethod = (facts: object, phrase: string) => void

export type ScheduleTools = {
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
const punctualMinutes = 2

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
      const trigger = minutesBetween(slot, localMinute(now, tools.timezone)) > punctualMinutes ? 'missed' : 'schedule'
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

const minutesBetween = (earlier: string, later: string): number =>
  (Date.parse(`${later}:00Z`) - Date.parse(`${earlier}:00Z`)) / 60_000
