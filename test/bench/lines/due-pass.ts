import type { Line } from '../line.ts'
import { passesOver } from '../waiting-lookups.ts'

export const duePass: Line = {
  name: 'due-pass',
  what: 'pass that dispatches 500 due look-ups ÷ bare select for update skip locked',
  unit: 'ms',
  goal: { atMost: 2 },

  async round(bench, round) {
    const { bare, pass } = await passesOver(bench, bench.sizes.waiting, round)
    return { limit: bare, vigia: pass }
  },
}
