import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The alerts in a real Prometheus: `vitest run --config test/prometheus/vitest.config.ts`. They need Debian's prometheus. */
// biome-ignore lint/style/noDefaultExport: vitest takes its settings from it
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/prometheus/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 300_000,
  },
})
