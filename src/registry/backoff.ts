import { setTimeout as sleep } from 'node:timers/promises'
import { NotSent, TooManyRequests, Unanswered } from './errors.ts'

export type Backoff = { firstMs: number; maxMs: number; random: () => number }

type Course = { retries: number; spends: boolean; signal?: AbortSignal; isTooLate: () => boolean }

/**
 * Makes the attempt again where that is safe: capped exponential waits with full jitter, or what the registry asks for.
 *
 * A loop of our own, because the wait must end at once when the worker stops, and cockatiel's does not.
 */
export const withRetries = async <T>(attempt: () => Promise<T>, course: Course, backoff: Backoff): Promise<T> => {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt()
    } catch (failure) {
      const wait =
        retry < course.retries && mayRepeat(failure, course.spends) && !course.isTooLate()
          ? waitBefore(retry, failure, backoff)
          : null
      if (wait === null || wait > backoff.maxMs) throw failure
      await sleep(wait, undefined, { signal: course.signal }).catch(() => Promise.reject(failure))
    }
  }
}

/** A spending call leaves once: only one that surely never left goes again. Refusals are the caller's to judge. */
const mayRepeat = (failure: unknown, spends: boolean): failure is NotSent | Unanswered | TooManyRequests => {
  if (failure instanceof NotSent) return !failure.keptBack
  return !spends && (failure instanceof Unanswered || failure instanceof TooManyRequests)
}

const waitBefore = (retry: number, failure: { retryAfterMs?: number }, { firstMs, maxMs, random }: Backoff): number =>
  failure.retryAfterMs ?? random() * Math.min(maxMs, firstMs * 2 ** retry)
