import { setTimeout as pause } from 'node:timers/promises'

/** Runs a pass at once and again after each has ended, until it is stopped. A pass that fails does not stop the loop. */
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
