import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from '../support/longest-first.ts'

/** Measures how long a page takes, so nothing else may run at the same time. */
const alone = 'test/browser/large-batch.test.ts'

/** The tests in a real browser: `vitest run --config test/browser/vitest.config.ts`. They need Debian's chromium. */
// biome-ignore lint/style/noDefaultExport: vitest takes its settings from it
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    globalSetup: ['test/support/database.ts'],
    pool: 'forks',
    // A process reuses its browser for its next file.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['test/browser/**/*.test.ts'],
          exclude: [alone],
          // One waits for its page or the engine while the other works.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: [alone], maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
