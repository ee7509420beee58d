import { NotSent, TooManyRequests } from './errors.ts'

/**
 * Limits how many requests this process has open at once.
 *
 * The ceiling is this process's share of the fleet and may change at any moment. Below the ceiling the registry decides:
 * a 429 halves the limit, and every full round of answers raises it by one.
 */
export type Bound = {
  /** Runs the request when it is its turn. If the signal fires before that, the request is never sent. */
  run<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** 0 keeps back everything that has not been sent yet. */
  ceiling: number
  /** Asked whenever a request would leave: false keeps it back, as a ceiling of 0 does. */
  isCurrent: () => boolean
  /** The limit at present: the ceiling, or less after a 429. */
  readonly size: number
  readonly open: number
}

export const createBound = ({ ceiling: initial }: { ceiling: number }): Bound => {
  const waiting = new Set<() => void>()
  let ceiling = initial
  let afterCut = Number.POSITIVE_INFINITY
  let cuts = 0
  let open = 0

  const size = () => (bound.isCurrent() ? Math.min(ceiling, Math.floor(afterCut)) : 0)

  const settle = () => {
    for (const next of waiting) {
      if (open >= size()) break
      waiting.delete(next)
      next()
    }
  }

  /** A 429 may answer many requests of one round. They count as one sign, so only the first one reduces the limit. */
  const cut = (cutsBefore: number) => {
    if (cutsBefore !== cuts) return
    cuts++
    afterCut = Math.max(1, Math.floor(size() / 2))
  }

  const grow = () => {
    if (afterCut === Number.POSITIVE_INFINITY) return
    afterCut += 1 / afterCut
    if (afterCut >= ceiling) afterCut = Number.POSITIVE_INFINITY
  }

  const leave = async <T>(request: () => Promise<T>): Promise<T> => {
    const cutsBefore = cuts
    open++
    try {
      const answer = await request()
      grow()
      return answer
    } catch (failure) {
      if (failure instanceof TooManyRequests) cut(cutsBefore)
      throw failure
    } finally {
      open--
      settle()
    }
  }

  const queue = <T>(request: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const stop = signal && listenersOf(signal)
      const next = () => {
        stop?.delete(giveUp)
        resolve(leave(request))
      }
      const giveUp = () => {
        waiting.delete(next)
        reject(givenUp())
      }
      stop?.add(giveUp)
      waiting.add(next)
      settle()
    })

  const bound: Bound = {
    isCurrent: () => true,
    run(request, signal) {
      if (signal?.aborted) return Promise.reject(givenUp())
      return waiting.size === 0 && open < size() ? leave(request) : queue(request, signal)
    },
    get ceiling() {
      return ceiling
    },
    set ceiling(count) {
      ceiling = count
      settle()
    },
    get size() {
      return size()
    },
    get open() {
      return open
    },
  }
  return bound
}

const givenUp = () => new NotSent(null, ['given_up_waiting'], { keptBack: true })

/**
 * Everything that is called when a signal fires; add to it, and delete what no longer waits.
 *
 * The signals of a worker live as long as it does, and each call waits for one several times. A listener of
 * `AbortSignal` costs some microseconds each time, so each signal has only one.
 */
export const listenersOf = (signal: AbortSignal): Set<() => void> => {
  const known = listeners.get(signal)
  if (known) return known
  const all = new Set<() => void>()
  signal.addEventListener('abort', () => {
    for (const each of [...all]) each()
    all.clear()
  })
  listeners.set(signal, all)
  return all
}

const listeners = new WeakMap<AbortSignal, Set<() => void>>()
