import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { heartbeatAt, type Watched, watchedAt } from './stillness.ts'

type WatchdogOptions = {
  /** How long the event loop may be blocked. */
  stillMs?: number
  /** Whether a person reads the log; JSON otherwise. */
  pretty?: boolean
}

/**
 * Watches the event loop of this process from a separate thread.
 *
 * A blocked event loop answers nothing, handles no signal and reports nothing; a process that ended is restarted by its
 * supervisor. So the thread logs where the process is blocked, and ends it. It keeps no process alive.
 */
export const startWatchdog = ({ stillMs = 20_000, pretty = process.stderr.isTTY === true }: WatchdogOptions = {}) => {
  const signs = new Int32Array(new SharedArrayBuffer(8))
  const sendHeartbeat = () => {
    Atomics.add(signs, heartbeatAt, 1)
    Atomics.store(signs, watchedAt, inspector.url() ? 1 : 0)
  }
  sendHeartbeat()
  const beating = setInterval(sendHeartbeat, Math.min(1_000, stillMs / 10)).unref()
  const workerData: Watched = { signs, stillMs, pretty }
  const thread = new Worker(new URL('./watch-thread.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
  })
  // Without its watchdog the process works as before.
  thread.on('error', () => {})
  thread.unref()
  const stop = async () => {
    clearInterval(beating)
    await thread.terminate()
  }
  return { stop, [Symbol.asyncDispose]: stop }
}
