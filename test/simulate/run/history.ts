import { countFromOne } from '../outside/crypto.ts'
import { forgetHomes } from '../outside/high-water.ts'
import { useNetwork } from '../outside/network.ts'
import { createQueues, type Queues } from '../outside/queue.ts'
import { createDice, type Dice } from '../plan/dice.ts'
import type { Plan } from '../plan/plan.ts'
import { settlingMs } from '../promises/holds.ts'
import { createModelRegistry, type ModelRegistry } from '../registry/model-registry.ts'
import { createModelDatabase, type ModelDatabase } from '../store/database.ts'
import { type Actor, createActor, createSchedule, type Happening, type Schedule } from '../time/schedule.ts'
import { runOn, useProcesses, useRandom } from '../time/virtual-clock.ts'
import { calmAfterMs } from './calm.ts'
import { createFleetOfWorkers, type Workers } from './fleet-of-workers.ts'
import { scheduleIncidents } from './incidents.ts'
import { nextDue } from './next-due.ts'
import { createNetwork } from './open-requests.ts'
import { createOperators } from './operators.ts'
import { Violation } from './violation.ts'
import { createWitness, type Witness } from './witness.ts'

/** What a history consists of while it runs. */
export type History = {
  plan: Plan
  schedule: Schedule
  dice: Dice
  model: ModelDatabase
  /** How far its clock is ahead of the true time, and what became of it. */
  database: { clockMs: number; unreachableUntil: number; rewound: boolean }
  registry: ModelRegistry
  queues: Queues
  workers: Workers
  witness: Witness
  /** What happens outside of any worker. */
  world: Actor
  startedAt: number
}

export type Outcome = {
  violation: Violation | null
  exempt: Map<string, number>
  events: number
  virtualMs: number
  charges: number
  lines: string[]
}

export const runHistory = (plan: Plan, records = false): Outcome => {
  const dice = createDice(plan.seed ^ 0x51ed270b)
  const startedAt = beginning(plan)
  countFromOne()
  forgetHomes()
  useRandom(dice.next)
  const schedule = createSchedule(
    startedAt,
    (count) => count,
    (event) => lateness(event),
  )
  const model = createModelDatabase(() => new Date(schedule.now + history.database.clockMs))
  const world = createActor('the world')
  const witness = createWitness(plan, () => history, records)
  const history = {
    plan,
    schedule,
    dice,
    model,
    database: { clockMs: 0, unreachableUntil: 0, rewound: false },
    registry: createModelRegistry(plan, dice, () => schedule.now, witness),
    queues: createQueues(schedule, model, () => dice.between(1, 40)),
    witness,
    world,
    startedAt,
  } as History
  history.workers = createFleetOfWorkers(history)
  useProcesses(history.workers.lives)

  let dueAsOf = -1
  let firstDue = 0
  /**
   * Where nobody works or stood still just now, again and again until something is due; otherwise once: a job may wait for a
   * heartbeat. A look that would find nothing due is left out for some seconds, whatever else happens.
   */
  const lateness = ({ at, isLate, look }: Happening): number => {
    const lazyMs = at > startedAt + calmAfterMs ? 5_000 : plan.settings.lazyMs
    if (lazyMs === 0) return 0
    if (model.version !== dueAsOf) {
      dueAsOf = model.version
      firstDue = nextDue(model)
    }
    const due = firstDue - history.database.clockMs
    if (look && at - look.since < lazyMs && due > at + look.everyMs) return look.everyMs
    if (isLate && (hasJobs(model, at) || history.workers.stoodStill(at - settlingMs))) return 0
    return Math.max(0, Math.min(lazyMs, due - at, schedule.nextFixed() - at))
  }

  runOn(schedule)
  useNetwork(createNetwork(history))
  let events = 0
  try {
    schedule.as(world, () => begin(history))
    while (!witness.isOver() && schedule.step()) {
      events++
      witness.look()
    }
    witness.end()
    return outcome(null)
  } catch (error) {
    if (error instanceof Violation) return outcome(error)
    throw error
  } finally {
    runOn(null)
    useNetwork(null)
  }

  function outcome(violation: Violation | null): Outcome {
    const virtualMs = schedule.now - startedAt
    return { violation, exempt: witness.exempt, events, virtualMs, charges: witness.charges(), lines: witness.lines }
  }
}

const begin = (history: History): void => {
  const { plan, registry, startedAt, schedule, world } = history
  for (const { document, kind, at } of plan.registry.colleagues) {
    if (at < 0) registry.colleagueBuys(document, kind, startedAt + at)
    else schedule.at(startedAt + at, world, () => registry.colleagueBuys(document, kind, schedule.now))
  }
  const operators = createOperators(history)
  for (const [number, file] of plan.files.entries()) {
    schedule.at(startedAt + file.at, operators.actor, () => operators.submit(number, file))
  }
  for (let i = 0; i < plan.workers; i++) history.workers.start(i)
  scheduleIncidents(history, operators)
  schedule.at(startedAt + calmAfterMs, operators.actor, () => operators.tidyUp())
}

const hasJobs = ({ tables }: ModelDatabase, now: number): boolean => {
  for (const { startAt } of tables.jobs.values()) if (startAt <= now) return true
  return false
}

/** A day of November or December, at some minute of it in the zone of the settings. */
const beginning = ({ seed, settings }: Plan): number =>
  Date.UTC(2026, 10, 1 + (seed % 50), 3) + settings.minuteOfDay * 60_000 + (seed % 1_000)
