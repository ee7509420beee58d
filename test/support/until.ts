import { setTimeout as pause } from 'node:timers/promises'

/**
 * Asks again and again until there is an answer: for what happens in other processes, by a deadline and not a guess.
 *
 * Less and less often, as each look takes time from those who are looked at.
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
