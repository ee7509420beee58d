import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again until there is an answer: for what happens in other processes, by a deadline and not a guess. */
export const until = async <T>(ask: () => Promise<T | null | undefined | false>, withinMs = 30_000): Promise<T> => {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > deadline) throw new Error(`Still waiting after ${withinMs} ms: ${ask}`)
    await pause(20)
  }
}
