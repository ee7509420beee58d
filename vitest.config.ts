import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

/** `npm test` leaves out what takes minutes (`*.slow.test.ts`) and what needs other programs; `npm run check` does not. */
const elsewhere = ['test/browser/**', 'test/office/**', 'test/prometheus/**', 'test/chaos/**', 'test/bench/**']
const slow = process.env.SLOW === '1'

export default defineConfig({
  test: {
    include: [slow ? 'test/**/*.slow.test.ts' : 'test/**/*.test.ts'],
    exclude: slow ? elsewhere : [...elsewhere, 'test/**/*.slow.test.ts'],
    globalSetup: ['test/support/database.ts'],
    pool: 'forks',
    // More than two cores would ask for: half of the time a test waits for a deadline, a poll or another process.
    maxWorkers: 4,
    // A worker keeps what it has loaded for its next file: loading it anew takes longer than most files' tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Only what hangs takes so long; a machine that is busy with other things must fail nothing.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
