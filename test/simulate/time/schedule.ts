/** Who does something in a history: a worker, the registry, an operator. Its clocks are its own. */
export type Actor = {
  /** The name of its machine, and its own in a described history. */
  readonly name: string
  label: string
  pid: number
  home: string
  isDead: boolean
  /** Until then nothing of it runs: it was stopped, or its machine was suspended. */
  pausedUntil: number
  /** How far its wall clock is ahead of the true time. */
  wallOffset: number
  /** How long its machine was suspended: its monotonic clock stood still meanwhile. */
  suspendedMs: number
}

export const createActor = (name: string): Actor => ({
  name,
  label: name,
  pid: 0,
  home: '',
  isDead: false,
  pausedUntil: 0,
  wallOffset: 0,
  suspendedMs: 0,
})

export type Happening = {
  at: number
  order: number
  actor: Actor
  run: () => void
  isCancelled: boolean
  /** It may come late when nothing else happens: a heartbeat, a look whether something is due. */
  isPeriodic: boolean
  /** It came late already. */
  isLate: boolean
  /** A look whether something is due: how long until the next one, and when it was to be first. */
  look: { everyMs: number; since: number } | null
}

/** The events of a history in the order of their time; `order` decides among those of one moment. */
export type Schedule = {
  readonly now: number
  readonly actor: Actor
  at(time: number, actor: Actor, run: () => void, isPeriodic?: boolean): Happening
  /** The same event once more, after it happened. */
  again(event: Happening, time: number): void
  /** Runs the next event and all that follows from it at the same moment; false when there is none. */
  step(): boolean
  /** The time of the next event that is not periodic. */
  nextFixed(): number
  as<T>(actor: Actor, run: () => T): T
}

/** Runs what promises have made ready, before the next event. */
const drain = (process as unknown as { _tickCallback(): void })._tickCallback

export const createSchedule = (
  start: number,
  order: (count: number) => number,
  lateness: (event: Happening) => number,
): Schedule => {
  const heap = createHeap()
  let now = start
  let count = 0
  let actor = createActor('nobody')

  const put = (event: Happening): Happening => {
    heap.push(event)
    return event
  }

  const schedule: Schedule = {
    get now() {
      return now
    },
    get actor() {
      return actor
    },
    at: (time, who, run, isPeriodic = false) =>
      put({
        at: Math.max(now, Math.ceil(time)),
        order: order(++count),
        actor: who,
        run,
        isCancelled: false,
        isPeriodic,
        isLate: false,
        look: null,
      }),
    again(event, time) {
      event.at = Math.max(now, Math.ceil(time))
      event.order = order(++count)
      event.isLate = false
      put(event)
    },
    step() {
      const event = heap.pop()
      if (!event) return false
      if (event.isCancelled || event.actor.isDead) return true
      if (event.actor.pausedUntil > event.at) {
        // What waits for a process that was stopped comes in any order: timers, replies and statements are apart.
        event.at = event.actor.pausedUntil
        event.order = Math.imul(event.order, 2_654_435_761) >>> 0
        put(event)
        return true
      }
      const late = event.isPeriodic ? lateness(event) : 0
      if (late > 0) {
        event.at += late
        event.isLate = true
        put(event)
        return true
      }
      now = Math.max(now, event.at)
      schedule.as(event.actor, event.run)
      return true
    },
    nextFixed: () => heap.min((event) => !event.isPeriodic && !event.isCancelled && !event.actor.isDead),
    as(who, run) {
      const before = actor
      actor = who
      try {
        const result = run()
        drain.call(process)
        return result
      } finally {
        actor = before
      }
    },
  }
  return schedule
}

const isBefore = (a: Happening, b: Happening): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

const createHeap = () => {
  const items: Happening[] = []
  const rise = (event: Happening): void => {
    let i = items.length - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!isBefore(event, items[parent]!)) break
      items[i] = items[parent]!
      i = parent
    }
    items[i] = event
  }
  const sink = (event: Happening): void => {
    const { length } = items
    let i = 0
    for (let child = 1; child < length; child = 2 * i + 1) {
      if (child + 1 < length && isBefore(items[child + 1]!, items[child]!)) child++
      if (!isBefore(items[child]!, event)) break
      items[i] = items[child]!
      i = child
    }
    items[i] = event
  }
  return {
    push(event: Happening): void {
      items.push(event)
      rise(event)
    },
    pop(): Happening | undefined {
      const [first] = items
      const last = items.pop()
      if (items.length > 0) sink(last!)
      return first
    },
    min(wanted: (event: Happening) => boolean): number {
      let least = Number.POSITIVE_INFINITY
      for (const event of items) if (event.at < least && wanted(event)) least = event.at
      return least
    },
  }
}
