import { setTimeout as pause } from 'node:timers/promises'

/**
 * Polls until there is an answer: for events in other processes, with a deadline and not a guess.
 *
 * The interval grows, because each poll takes time from the processes that are polled.
 */
export const until = async <T>(ask: () => Promise<T | null | undefined | false>, withinMs = 100_000): Promise<T> => {
  const deadline = performance.now() + withinMs
  for (let waitMs = 10; ; waitMs = Math.min(waitMs + 5, 50)) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > deadline) throw new Error(`Still waiting after ${withinMs} ms: ${ask}`)
    await pause(waitMs)
  }
}
