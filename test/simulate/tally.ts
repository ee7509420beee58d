/** What many histories came to. */
export type Tally = {
  histories: number
  documents: number
  events: number
  charges: number
  virtualMs: number
  exempt: Record<string, number>
  /** How often each transition met each outcome. */
  pairs: Record<string, number>
  failures: { seed: number; promise: string; message: string }[]
}

export const emptyTally = (): Tally => ({
  histories: 0,
  documents: 0,
  events: 0,
  charges: 0,
  virtualMs: 0,
  exempt: {},
  pairs: {},
  failures: [],
})

const addCounts = (all: Record<string, number>, more: Record<string, number>): void => {
  for (const [name, count] of Object.entries(more)) all[name] = (all[name] ?? 0) + count
}

export const addTally = (all: Tally, more: Tally): void => {
  for (const key of ['histories', 'documents', 'events', 'charges', 'virtualMs'] as const) all[key] += more[key]
  addCounts(all.exempt, more.exempt)
  addCounts(all.pairs, more.pairs)
  all.failures.push(...more.failures)
}
