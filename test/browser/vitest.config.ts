import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from '../support/longest-first.ts'

/** The tests in a real browser: `vitest run --config test/browser/vitest.config.ts`. They need Debian's chromium. */
// biome-ignore lint/style/noDefaultExport: vitest takes its settings from it
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/database.ts'],
    pool: 'forks',
    // One waits for its page or for the engine while the other works.
    maxWorkers: 2,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
