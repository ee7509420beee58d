import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests in a real office program: `vitest run --config test/office/vitest.config.ts`. They need LibreOffice Calc. */
// biome-ignore lint/style/noDefaultExport: vitest takes its settings from it
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/office/{report,report-workbook,other-sheets,formulas}.office.ts'],
    globalSetup: ['test/support/database.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
