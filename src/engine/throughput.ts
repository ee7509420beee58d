import { latencyLimits, latencyPlace } from '../domain/pace.ts'
import type { Observe } from '../registry/turnstile.ts'
import { addThroughput } from '../store/fleet/workers.ts'
import type { Engine } from './engine.ts'

/** Counts what this process does, and adds it to what the page shows of all workers. */
export const createThroughput = () => {
  const calls = latencyLimits.map(() => 0)
  let failures = 0
  let written = { lookups: 0, failures: 0, calls: [...calls] }
  return {
    observe({ outcome, seconds }: Parameters<Observe>[0]): void {
      calls[latencyPlace(seconds)]!++
      if (outcome !== 'ok') failures++
    },

    /** What could not be written is written the next time. */
    async write<Tools>({ sql, clock, steps }: Pick<Engine<Tools>, 'sql' | 'clock' | 'steps'>): Promise<void> {
      const current = { lookups: steps.ended, failures, calls: [...calls] }
      const added = {
        lookups: current.lookups - written.lookups,
        failures: current.failures - written.failures,
        calls: current.calls.map((count, place) => count - written.calls[place]!),
      }
      if (added.lookups === 0 && added.calls.every((count) => count === 0)) return
      await addThroughput(sql, clock(), added)
      written = current
    },
  }
}
