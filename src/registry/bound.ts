import pLimit from 'p-limit'
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
  untilOpenAtMost(count: number): Promise<void>
}

export const createBound = ({ ceiling: initial }: { ceiling: number }): Bound => {
  const limit = pLimit(Math.max(1, initial))
  const waiters = new Set<{ holds: () => boolean; resolve: () => void }>()
  let ceiling = initial
  let afterCut = Number.POSITIVE_INFINITY
  let cuts = 0
  let open = 0
  let turns = 0

  let isCurrent = () => true

  const size = () => (isCurrent() ? Math.min(ceiling, Math.floor(afterCut)) : 0)

  const until = (holds: () => boolean) =>
    holds() ? Promise.resolve() : new Promise<void>((resolve) => void waiters.add({ holds, resolve }))

  const settle = () => {
    const slots = Math.max(1, size())
    if (limit.concurrency !== slots) limit.concurrency = slots
    for (const waiter of waiters) if (waiter.holds() && waiters.delete(waiter)) waiter.resolve()
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

  /** p-limit counts only its own turns, and may have granted one just before the ceiling fell. */
  const takeTurn = async <T>(request: () => Promise<T>): Promise<T> => {
    turns++
    while (open >= size()) await until(() => open < size())
    turns--
    return leave(request)
  }

  return {
    // A call that need not wait skips the queue. Most calls do, and p-limit's turn would cost each two more promises.
    run(request, signal) {
      const isFree = open < size() && turns === 0 && limit.pendingCount === 0
      if (isFree && !signal?.aborted) return leave(request)
      const queue = (start: typeof request) => limit(takeTurn, start) as ReturnType<typeof request>
      return signal ? unlessGivenUp(signal, request, queue) : queue(request)
    },
    get ceiling() {
      return ceiling
    },
    set ceiling(count) {
      ceiling = count
      settle()
    },
    get isCurrent() {
      return isCurrent
    },
    set isCurrent(check) {
      isCurrent = check
    },
    get size() {
      return size()
    },
    get open() {
      return open
    },
    untilOpenAtMost: (count) => until(() => open <= count),
  }
}

/** Settles with the request once it has been sent; rejects at once if the signal fires before that. */
const unlessGivenUp = <T>(
  signal: AbortSignal,
  request: () => Promise<T>,
  queue: (start: () => Promise<T>) => Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const giveUp = () => reject(givenUp())
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    const start = async () => {
      signal.removeEventListener('abort', giveUp)
      if (signal.aborted) throw givenUp()
      return request()
    }
    queue(start).then(resolve, reject)
  })

const givenUp = () => new NotSent(null, ['given_up_waiting'], { keptBack: true })
