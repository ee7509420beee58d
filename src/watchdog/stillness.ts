/**
 * Says how long a count has not changed, as far as the one who looks was awake.
 *
 * A machine that sleeps, or a process that is stopped, stops both: the looks that were not made prove nothing. So each
 * look adds no more than two of the pauses that lie between them.
 */
export const createStillness = (everyMs: number) => {
  let seen: number | null = null
  let lookedAt = 0
  let stillMs = 0

  return (count: number, now: number): number => {
    const awake = Math.min(now - lookedAt, 2 * everyMs)
    stillMs = count === seen ? stillMs + awake : 0
    seen = count
    lookedAt = now
    return stillMs
  }
}

/** What the watched thread leaves for the watching one, in memory that both see. */
export type Watched = { signs: Int32Array; stillMs: number; pretty: boolean }

/** Counts on for as long as the event loop turns. */
export const heartbeatAt = 0
/** 1 while a debugger is open: whoever stops at a breakpoint means to stand still. */
export const watchedAt = 1
