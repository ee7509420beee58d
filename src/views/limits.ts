/** How many items are shown by default, and at most. */
export type Limit = { usual: number; most: number }

/** The same on the command line and over the API, unless noted. */
export const limits = {
  alerts: { usual: 50, most: 10_000 },
  audit: { usual: 50, most: 10_000 },
  backTestAlerts: { usual: 50, most: 100_000 },
  backTestNights: { usual: 90, most: 4_000 },
  batches: { usual: 20, most: 1_000 },
  parked: { usual: 1_000, most: 1_000 },
  portfolioRuns: { usual: 12, most: 1_000 },
  radars: { usual: 1_000, most: 1_000_000 },
  /** The API builds its response in the memory of a worker and blocks it meanwhile; a command has its own process. */
  radarsServed: { usual: 1_000, most: 10_000 },
  sweeps: { usual: 30, most: 1_000 },
  usageDays: { usual: 30, most: 400 },
} as const satisfies Record<string, Limit>
