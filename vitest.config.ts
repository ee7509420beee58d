import { defineConfig } from 'vitest/config'
import { compileCache } from './test/support/compile-cache.ts'
import { LongestFirst } from './test/support/longest-first.ts'

/**
 * `npm test` leaves out what takes long (`*.slow.test.ts`) and what needs other programs; `npm run check` does not.
 *
 * `SLOW=1` runs nothing but what takes long, `SLOW=too` runs both.
 */
const elsewhere = ['test/browser/**', 'test/office/**', 'test/prometheus/**', 'test/chaos/**', 'test/bench/**']
const slow = 'test/**/*.slow.test.ts'
const all = 'test/**/*.test.ts'
const { SLOW } = process.env

// The workers and the processes that they start inherit it.
process.env.NODE_COMPILE_CACHE ??= compileCache

export default defineConfig({
  test: {
    include: [SLOW === '1' ? slow : all],
    exclude: SLOW ? elsewhere : [...elsewhere, slow],
    globalSetup: ['test/support/database.ts'],
    pool: 'forks',
    // More than two cores would ask for: half of the time a test waits for a deadline, a poll or another process.
    maxWorkers: 4,
    // A worker keeps what it has loaded for its next file: loading it anew takes longer than most files' tests.
    isolate: false,
    // Node reads TypeScript by itself, and keeps what it has compiled: an eighth of the processor time of the pages' tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // Only what hangs takes so long; a machine that is busy with other things must fail nothing.
    testTimeout: SLOW ? 600_000 : 120_000,
    hookTimeout: 120_000,
  },
})
