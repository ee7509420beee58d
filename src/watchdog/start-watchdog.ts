import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { heartbeatAt, type Watched, watchedAt } from './stillness.ts'

type WatchdogOptions = {
  /** So long the event loop may stand still. */
  stillMs?: number
  /** Whether the log is read by a person; JSON otherwise. */
  pretty?: boolean
}

/**
 * Watches the event loop of this process from a thread of its own.
 *
 * A loop that stands still answers nothing, takes no signal and can tell nobody; a process that ended is started anew
 * by whoever supervises it. So the thread says where the process stands, and ends it. It keeps no process alive.
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
  // Without its watchdog the process is no worse off than before.
  thread.on('error', () => {})
  thread.unref()
  const stop = async () => {
    clearInterval(beating)
    await thread.terminate()
  }
  return { stop, [Symbol.asyncDispose]: stop }
}
