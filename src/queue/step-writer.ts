import { setTimeout as pause } from 'node:timers/promises'
import type { Step } from '../domain/advance.ts'
import type { Engine } from './engine.ts'
import { settle } from './settle.ts'

/** How long the first step of a group waits for company. */
const lingerMs = 15

/** Groups the steps of a chunk into few writes: while one is under way, the next collects. */
export const createStepWriter = <Tools>(engine: Engine<Tools>, jobId: string, most = 250) => {
  const collected: Step[] = []
  let writing: Promise<void> | null = null
  let failure: unknown

  const drain = async (): Promise<void> => {
    try {
      await pause(lingerMs)
      while (collected.length > 0) await settle(engine, jobId, collected.splice(0, most))
    } catch (error) {
      failure ??= error
    } finally {
      writing = null
    }
  }

  return {
    add(step: Step): void {
      collected.push(step)
      writing ??= drain()
    },

    /** Waits until everything is written. A write that failed fails the chunk; its look-ups keep the state they had. */
    async end(): Promise<void> {
      while (writing) await writing
      if (failure) throw failure
      engine.wake()
    },
  }
}
