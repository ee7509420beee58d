import { listenersOf } from './bound.ts'

/** The places reserved for some look-ups. Disposing it returns the places that were not transferred to a look-up. */
export type Places = Disposable & {
  readonly count: number
  /** Transfers one place to a look-up, which returns it when it is done. */
  hand(): Disposable
}

/** Limits how many look-ups of this process, over all its jobs, are on their way to a call. */
export type Admission = {
  /** Waits for free places and takes at most `wanted`; none once the signal fires. `first` goes before others that wait. */
  admit(wanted: number, signal: AbortSignal, turn?: { first: boolean }): Promise<Places>
}

const smallBound = 16

/**
 * Allows twice as many places as open requests. That is enough to have one call always ready while the next intents are
 * recorded. It is few enough that an intent is sent soon after it is recorded, and that a crash leaves few unknown
 * outcomes. Places are granted at least half a bound at a time (all of a small bound), so that intents are written in
 * groups.
 */
export const createAdmission = (bound: { readonly size: number }): Admission => {
  const waiting: { wanted: number; first: boolean; resolve: (taken: number) => void }[] = []
  let taken = 0
  let timer: NodeJS.Timeout | undefined
  let isServing = false

  const serve = (): void => {
    for (let first = waiting[0]; first; first = waiting[0]) {
      const most = Math.min(first.wanted, bound.size)
      const least = Math.min(most, Math.max(smallBound, Math.ceil(bound.size / 2)))
      const free = bound.size * 2 - taken
      if (least === 0 || free < least) break
      const group = Math.min(most, free)
      waiting.shift()
      taken += group
      first.resolve(group)
    }
    keepLooking()
  }

  /** The bound changes without notice as workers come and go, so it is checked again while anyone waits. */
  const keepLooking = (): void => {
    if (waiting.length === 0) {
      clearInterval(timer)
      timer = undefined
    } else timer ??= setInterval(serve, 100)
  }

  /** Look-ups whose outcomes were written together return their places one by one: these are granted together. */
  const giveBack = (count: number): void => {
    taken -= count
    if (isServing) return
    isServing = true
    queueMicrotask(() => {
      isServing = false
      serve()
    })
  }

  const take = (wanted: number, signal: AbortSignal, first: boolean): Promise<number> =>
    new Promise((resolve) => {
      if (signal.aborted || wanted === 0) return resolve(0)
      const leave = (): void => {
        waiting.splice(waiting.indexOf(waiter), 1)
        waiter.resolve(0)
        keepLooking()
      }
      const settle = (count: number): void => {
        listenersOf(signal).delete(leave)
        resolve(count)
      }
      const waiter = { wanted, first, resolve: settle }
      listenersOf(signal).add(leave)
      const behind = first ? waiting.findIndex((other) => !other.first) : -1
      waiting.splice(behind < 0 ? waiting.length : behind, 0, waiter)
      serve()
    })

  return {
    admit: async (wanted, signal, { first } = { first: false }) =>
      placesOf(await take(wanted, signal, first), giveBack),
  }
}

const placesOf = (count: number, giveBack: (count: number) => void): Places => {
  let left = count
  return {
    count,
    hand() {
      left--
      return { [Symbol.dispose]: () => giveBack(1) }
    },
    [Symbol.dispose]() {
      if (left > 0) giveBack(left)
      left = 0
    },
  }
}
