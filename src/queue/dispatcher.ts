import { dispatchDue } from './dispatch.ts'
import type { Engine } from './engine.ts'
import { expireOverdue } from './expire.ts'
import type { Turns } from './fair-shares.ts'
import type { Pace } from './pace.ts'

export type Dispatcher = { wake(): void; stop(): Promise<void> }

/** Runs the dispatch pass whenever something may be due: when woken, and otherwise four times a second. */
export const startDispatcher = <Tools>(engine: Engine<Tools>, pace: Pace): Dispatcher => {
  const alarm = createAlarm()
  const turns: Turns = new Map()
  let stopped = false
  let expiredAt = 0

  const pass = async (): Promise<number> => {
    if (Date.now() - expiredAt > 10_000) {
      expiredAt = Date.now()
      await expireOverdue(engine)
    }
    return dispatchDue(engine, pace.chunkSize(), turns)
  }

  const loop = async (): Promise<void> => {
    while (!stopped) {
      const handed = await pass().catch((error) => {
        engine.log.error({ err: error }, 'dispatch failed')
        return 0
      })
      if (!stopped) await alarm.wait(handed > 0 ? 25 : 250)
    }
  }
  const running = loop()

  return {
    wake: alarm.ring,
    async stop() {
      stopped = true
      alarm.ring()
      await running
    },
  }
}

const createAlarm = () => {
  let rung = false
  let ring = () => {
    rung = true
  }
  return {
    ring: () => ring(),
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          rung = false
          ring = () => {
            rung = true
          }
          resolve()
        }
        const timer = setTimeout(done, rung ? 0 : ms)
        ring = done
      }),
  }
}
