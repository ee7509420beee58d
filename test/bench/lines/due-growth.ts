import type { Line } from '../line.ts'
import { passesOver } from '../waiting-lookups.ts'

export const dueGrowth: Line = {
  name: 'due-growth',
  what: 'the same pass with many waiting look-ups ÷ with a thousand',
  unit: 'ms',
  goal: { atMost: 1.3 },

  async round(bench, round) {
    const few = await passesOver(bench, bench.sizes.fewWaiting, round)
    const many = await passesOver(bench, bench.sizes.waiting, round)
    return { limit: few.pass, vigia: many.pass }
  },
}
