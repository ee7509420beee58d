/**
 * Measures how long a count has not changed, in time during which the observer was running.
 *
 * When a machine sleeps or a process is stopped, both stop, and the missed observations prove nothing. So each
 * observation adds at most two of the pauses between them.
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

/** What the watched thread shares with the watching one, in memory that both see. */
export type Watched = { signs: Int32Array; stillMs: number; pretty: boolean }

/** Increases for as long as the event loop turns. */
export const heartbeatAt = 0
/** 1 while a debugger is attached: whoever stops at a breakpoint means to block the process. */
export const watchedAt = 1
