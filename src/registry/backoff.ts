import { setTimeout as sleep } from 'node:timers/promises'
import { NotSent, Outage, TooManyRequests, Unanswered } from './errors.ts'

export type Backoff = { firstMs: number; maxMs: number; random: () => number }

type Course = { retries: number; spends: boolean; signal?: AbortSignal; isLast: () => boolean }

/**
 * Repeats the attempt where that is safe. Waits grow exponentially up to a cap, with full jitter, or follow the registry's
 * `Retry-After`. The wait ends at once when the worker stops.
 */
export const withRetries = async <T>(attempt: () => Promise<T>, course: Course, backoff: Backoff): Promise<T> => {
  let sent: unknown
  for (let retry = 0; ; retry++) {
    try {
      return await attempt()
    } catch (latest) {
      // If the next attempt is kept back by an outage, the failure of the attempt that was sent still counts.
      const failure = latest instanceof Outage && sent ? sent : latest
      if (failure === sent) throw failure
      sent = failure
      const wait =
        retry < course.retries && mayRepeat(failure, course.spends) && !course.isLast()
          ? waitBefore(retry, failure, backoff)
          : null
      if (wait === null || wait > backoff.maxMs) throw failure
      await sleep(wait, undefined, { signal: course.signal }).catch(() => Promise.reject(failure))
    }
  }
}

/** A spending call is sent once: it is repeated only if it surely never left. The caller judges refusals. */
const mayRepeat = (failure: unknown, spends: boolean): failure is NotSent | Unanswered | TooManyRequests => {
  if (failure instanceof NotSent) return !failure.keptBack
  return !spends && (failure instanceof Unanswered || failure instanceof TooManyRequests)
}

const waitBefore = (retry: number, failure: { retryAfterMs?: number }, { firstMs, maxMs, random }: Backoff): number =>
  failure.retryAfterMs ?? random() * Math.min(maxMs, firstMs * 2 ** retry)
