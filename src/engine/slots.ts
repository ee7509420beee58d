import type { Kind } from '../domain/kind.ts'

/** Places for look-ups in the hands of this process, over all its jobs. */
export type Slots = {
  /** Waits for some places and takes as many of those wanted as are free; none once the signal fires. */
  take(wanted: number, signal: AbortSignal): Promise<number>
  give(count: number): void
}

/**
 * Three times as many places as requests may be open: enough that one is always ready to leave while the next intents
 * are recorded, and few enough that an intent is sent soon after. They are given out by a whole bound, so that intents
 * are written in groups.
 */
export const createSlots = (bound: { readonly size: number }): Slots => {
  const waiting: { wanted: number; resolve: (taken: number) => void }[] = []
  let taken = 0
  let timer: NodeJS.Timeout | undefined

  const serve = (): void => {
    for (let first = waiting[0]; first; first = waiting[0]) {
      const group = Math.min(first.wanted, bound.size)
      const free = bound.size * 3 - taken
      if (group === 0 || free < group) break
      waiting.shift()
      taken += group
      first.resolve(group)
    }
    keepLooking()
  }

  /** The bound changes by itself as workers come and go, so whoever waits looks again. */
  const keepLooking = (): void => {
    if (waiting.length === 0) {
      clearInterval(timer)
      timer = undefined
    } else timer ??= setInterval(serve, 100)
  }

  return {
    take: (wanted, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || wanted === 0) return resolve(0)
        const waiter = { wanted, resolve: settle }
        function settle(count: number): void {
          signal.removeEventListener('abort', leave)
          resolve(count)
        }
        function leave(): void {
          waiting.splice(waiting.indexOf(waiter), 1)
          settle(0)
          keepLooking()
        }
        signal.addEventListener('abort', leave)
        waiting.push(waiter)
        serve()
      }),
    give(count) {
      taken -= count
      serve()
    },
  }
}

/** Every call of a lane passes it on its way out; the first answer that holds the lane closes it. */
export type Gate = {
  readonly isClosed: boolean
  close(): void
  /** The hold is on record: whoever comes after it, or probes it, finds a new gate. */
  replace(): void
}

/** The gates of this process, one per lane. A closed one never opens again, so that all who passed it before stop. */
export const createGates = (): ((lane: { organizationId: number; kind: Kind }) => Gate) => {
  const gates = new Map<string, Gate>()

  const createGate = (lane: string): Gate => {
    let isClosed = false
    const gate: Gate = {
      get isClosed() {
        return isClosed
      },
      close() {
        isClosed = true
      },
      replace() {
        if (gates.get(lane) === gate) gates.delete(lane)
      },
    }
    gates.set(lane, gate)
    return gate
  }

  return ({ organizationId, kind }) => {
    const lane = `${organizationId}/${kind}`
    return gates.get(lane) ?? createGate(lane)
  }
}
