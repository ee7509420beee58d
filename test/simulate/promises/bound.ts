import { Violation } from '../run/violation.ts'
import type { WatchContext } from '../run/witness.ts'
import type { Actor } from '../time/schedule.ts'

/** What a dead process has sent reaches the registry, and the news of its end follows, within so long. */
const newsMs = 100

/** Open requests never exceed the bound: per worker, and over all of them. */
export const createBoundWatch = ({ plan, historyOf, note }: WatchContext) => {
  const open = new Map<Actor, Set<() => void>>()
  let all = 0
  const { worker: perWorker, fleet } = plan.settings
  const passed = (worker: Actor, own: number): Violation | null => {
    if (own > perWorker) {
      return new Violation('bound of a worker', `${worker.label} has ${own} requests open; its bound is ${perWorker}`)
    }
    if (all <= fleet) return null
    const each = [...open].flatMap(([{ label }, set]) => (set.size > 0 ? [`${label} ${set.size}`] : []))
    const message = `${all} requests are open (${each.join(', ')}); the bound is ${fleet}`
    note(message)
    return new Violation('bound of the fleet', message)
  }
  return {
    sent(worker: Actor) {
      const own = open.get(worker) ?? new Set()
      open.set(worker, own)
      let isOpen = true
      const end = (): void => {
        if (!isOpen) return
        isOpen = false
        all--
        own.delete(end)
      }
      own.add(end)
      all++
      return { request: { end, close: end }, violation: passed(worker, own.size) }
    },
    crashed(worker: Actor) {
      const { schedule, world } = historyOf()
      schedule.at(schedule.now + newsMs, world, () => {
        for (const end of [...(open.get(worker) ?? [])]) end()
      })
    },
  }
}
