import { setTimeout as pause } from 'node:timers/promises'

/** Makes a pass at once, and again so long after each has ended, until it is stopped; one that fails stops nothing. */
export const repeat = (
  everyMs: number,
  pass: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pass().catch(onError)
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = loop()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
