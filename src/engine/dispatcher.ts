import { hasOpenBatch } from '../store/lookups/due-lookups.ts'
import { recordUnknownOutcomes } from '../store/lookups/intents.ts'
import { dispatchDue, type Turns } from './dispatch.ts'
import type { Engine } from './engine.ts'
import { expireOverdue } from './settle.ts'

export type Dispatcher = { wake(): void; stop(): Promise<void> }

/**
 * Runs the dispatch pass whenever there may be work or capacity: when a job was taken, when a batch was submitted, and
 * otherwise four times a second, over all workers, because a pass serves every one of them. While no batch is open it only
 * asks, once a second, whether that is still so.
 */
export const startDispatcher = <Tools>(
  engine: Engine<Tools>,
  pace: ChunkPace,
  fleet: { size(): number; supervises(): boolean },
): Dispatcher => {
  const alarm = createAlarm()
  const turns: Turns = new Map()
  let stopped = false
  const expire = atMostEvery(10_000, () => expireOverdue(engine))
  const recordUnknown = atMostEvery(2_000, () => recordUnknownOutcomes(engine.sql, engine.clock()))

  let isBusy = false
  /** Returns how long one worker alone may wait for the next. */
  const pass = async (): Promise<number> => {
    if (fleet.supervises()) {
      await expire()
      await recordUnknown()
    }
    if (!isBusy && !(await hasOpenBatch(engine.sql))) return quietMs
    isBusy = (await dispatchDue(engine, pace.chunkSize(), turns)) > 0
    return passEveryMs
  }

  const loop = async (): Promise<void> => {
    while (!stopped) {
      const everyMs = await pass().catch((error) => {
        engine.log.error({ err: error }, 'dispatch failed')
        return passEveryMs
      })
      if (!stopped) await alarm.wait(Math.min(fleet.size() * everyMs, 2_000))
    }
  }
  const running = loop()

  return {
    wake: alarm.trigger,
    async stop() {
      stopped = true
      alarm.trigger()
      await running
    },
  }
}

const passEveryMs = 250
const quietMs = 1_000

const atMostEvery = (ms: number, work: () => PromiseLike<unknown>) => {
  let last = Number.NEGATIVE_INFINITY
  return async (): Promise<void> => {
    if (performance.now() - last < ms) return
    last = performance.now()
    await work()
  }
}

const createAlarm = () => {
  let rung = false
  let trigger = () => {
    rung = true
  }
  return {
    trigger: () => trigger(),
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          rung = false
          trigger = () => {
            rung = true
          }
          resolve()
        }
        const timer = setTimeout(done, rung ? 0 : ms)
        trigger = done
      }),
  }
}

/** How many look-ups make a job of about two seconds: long enough to cost little, short enough to be fair. */
export type ChunkPace = { chunkSize(): number; record(lookups: number, ms: number): void }

const wantedMs = 2_000
const smallest = 32
const largest = 500

export const createChunkPace = (): ChunkPace => {
  let perSecond = 100
  return {
    chunkSize: () => Math.round(Math.min(largest, Math.max(smallest, (perSecond * wantedMs) / 1_000))),
    record(lookups, ms) {
      if (lookups < smallest / 2) return
      perSecond = perSecond / 2 + ((lookups / Math.max(ms, 1)) * 1_000) / 2
    },
  }
}
