import type { Actor, Happening, Schedule } from './schedule.ts'

/** The schedule of the history that runs in this process; clocks and timers of the code under test belong to it. */
let schedule: Schedule | null = null
let random: () => number = Math.random
const own = {
  now: performance.now.bind(performance),
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
  random: Math.random,
  kill: process.kill.bind(process),
}

export const trueNow = (): number => own.now()

export const runOn = (next: Schedule | null): void => {
  schedule = next
}

let lives: (pid: number) => boolean = () => true

/** Which processes live on the machines of the history. */
export const useProcesses = (areAlive: (pid: number) => boolean): void => {
  lives = areAlive
}

export const useRandom = (next: () => number): void => {
  random = next
}

export const currentActor = (): Actor => running().actor
export const monotonicOf = (actor: Actor): number => running().now - actor.suspendedMs

const running = (): Schedule => {
  if (!schedule) throw new Error('No history runs')
  return schedule
}

type Timer = Happening & { refresh(): Timer; unref(): Timer; ref(): Timer }

const after = (ms: number, run: () => void, isPeriodic: boolean): Timer => {
  const { now, actor, at } = running()
  const event = at(now + Math.max(1, Number(ms) || 0), actor, run, isPeriodic) as Timer
  event.unref = event.ref = event.refresh = itself
  return event
}

function itself(this: Timer): Timer {
  return this
}

/** Between two heartbeats or looks at what is due nothing depends on the millisecond. */
const virtualTimeout = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): Timer => {
  const timer = after(ms, () => run(...given), isLook(run, ms))
  if (timer.isPeriodic) timer.look = { everyMs: ms, since: timer.at }
  return timer
}

const isLook = (run: unknown, ms: number): boolean => ms >= 100 && (run as { name?: string }).name === 'done'

const virtualInterval = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): Timer => {
  const tick = (): void => {
    const { again, now } = running()
    again(timer, now + Math.max(1, ms))
    run(...given)
  }
  const timer = after(ms, tick, true)
  return timer
}

const cancel = (timer: Timer | undefined): void => {
  if (timer) timer.isCancelled = true
}

/** Resolves after so long, as `node:timers/promises` does. */
export const virtualSleep = <T>(ms = 1, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T> =>
  new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal?.reason ?? new Error('aborted'))
    if (signal?.aborted) return aborted()
    const timer = after(
      ms,
      () => {
        signal?.removeEventListener('abort', giveUp)
        resolve(value as T)
      },
      false,
    )
    const giveUp = (): void => {
      cancel(timer)
      aborted()
    }
    signal?.addEventListener('abort', giveUp, { once: true })
  })

/** Before the code under test is loaded: some of it keeps the function. */
export const installVirtualChance = (): void => {
  Math.random = () => (schedule ? random() : own.random())
}

/** From here on time in this process is that of the history that runs. */
export const installVirtualClock = (): void => {
  Object.assign(globalThis, {
    setTimeout: virtualTimeout,
    setInterval: virtualInterval,
    clearTimeout: cancel,
    clearInterval: cancel,
  })
  const { pid } = process
  Object.defineProperty(process, 'pid', { get: () => schedule?.actor.pid ?? pid })
  performance.now = () => (schedule ? monotonicOf(schedule.actor) : own.now())
  Date.now = () => (schedule ? schedule.now + schedule.actor.wallOffset : own.now())
  process.kill = (pid, signal) => {
    if (!schedule) return own.kill(pid, signal)
    if (lives(pid)) return true
    throw Object.assign(new Error('no such process'), { code: 'ESRCH' })
  }
  AbortSignal.timeout = (ms: number) => {
    const controller = new AbortController()
    virtualTimeout(() => controller.abort(new Error('timeout')), ms)
    return controller.signal
  }
}
