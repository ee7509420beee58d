import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'

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
