import { heartbeatMs } from '../outside/queue.ts'
import { releaseLocks } from '../store/handle.ts'
import { type Actor, createActor } from '../time/schedule.ts'
import { connectTo } from './connection.ts'
import type { History } from './history.ts'
import { startWorker } from './worker.ts'

export type Workers = {
  start(index: number): void
  crash(index: number): void
  pause(index: number, ms: number, isSuspended: boolean): void
  clockSteps(index: number, ms: number): void
  actor(index: number): Actor | undefined
  /** Whether a process of that number lives on the machine. */
  lives(pid: number): boolean
  /** Whether one of them stood still after this moment. */
  stoodStill(since: number): boolean
  /** Starts whoever does not live. */
  heal(): void
}

/** The workers of a history, by their place; one that crashed is another process when it is back. */
export const createFleetOfWorkers = (history: History): Workers => {
  const { plan, schedule, model, queues, witness, dice } = history
  const actors: (Actor | undefined)[] = []
  const pids = new Map<number, Actor>()
  const weather = {
    latency: () => dice.below(4),
    isAtOnce: () => !plan.settings.stepwise && dice.chance(0.8),
    isAnsweredApart: () => dice.chance(plan.settings.stepwise ? 0.3 : 0.03),
    failure: () => {
      if (schedule.now >= history.database.unreachableUntil) return null
      return dice.pick(['before', 'after'] as const)
    },
  }

  const start = (index: number): void => {
    if (actors[index] && !actors[index].isDead) return
    const actor = createActor(plan.settings.sameHost ? 'host' : `host ${index + 1}`)
    actor.label = `worker ${index + 1}`
    actor.pid = 1_000 + pids.size
    actor.home = plan.settings.sameHost ? 'home' : `home ${index + 1}`
    actors[index] = actor
    pids.set(actor.pid, actor)
    witness.note(`worker ${index + 1} starts`)
    const sql = connectTo(schedule, model, actor, weather)
    const log = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: ({ err }: { err?: unknown }) => witness.failed(err),
    }
    const again = (): void => {
      const { settings, radars } = plan
      const options = {
        sql,
        queue: queues.of(actor),
        plan: settings,
        radars,
        home: actor.home,
        log,
        note: witness.note,
        begun: history.startedAt,
      }
      startWorker({ ...options, finished: () => {} }).catch(() => schedule.at(schedule.now + 1_000, actor, again))
    }
    schedule.at(schedule.now + dice.between(1, 800), actor, again)
  }

  return {
    start,
    crash(index) {
      const actor = actors[index]
      if (!actor || actor.isDead) return
      actor.isDead = true
      witness.note(`worker ${index + 1} crashes`)
      witness.crashed(actor)
      releaseLocks(model, actor)
      const noticed = schedule.now + heartbeatMs + dice.between(0, 2_000)
      schedule.at(noticed, history.world, () => queues.giveBackFrom(actor))
    },
    pause(index, ms, isSuspended) {
      const actor = actors[index]
      if (!actor || actor.isDead || actor.pausedUntil > schedule.now) return
      actor.pausedUntil = schedule.now + ms
      witness.note(
        `worker ${index + 1} is ${isSuspended ? 'suspended with its machine' : 'stopped'} for ${ms / 1_000} s`,
      )
      if (isSuspended)
        schedule.at(actor.pausedUntil, history.world, () => {
          actor.suspendedMs += ms
        })
      if (ms <= heartbeatMs) return
      schedule.at(schedule.now + heartbeatMs + 1_500, history.world, () => {
        if (actor.pausedUntil > schedule.now) queues.giveBackFrom(actor)
      })
    },
    clockSteps(index, ms) {
      const actor = actors[index]
      if (!actor) return
      actor.wallOffset += ms
      witness.note(`clock of worker ${index + 1} steps ${ms / 1_000} s`)
    },
    actor: (index) => actors[index],
    lives: (pid) => pids.get(pid)?.isDead === false,
    stoodStill: (since) => actors.some((actor) => actor && actor.pausedUntil > since),
    heal() {
      for (let i = 0; i < plan.workers; i++) start(i)
    },
  }
}
