/** How often a property is tried in `npm test`; `npm run check:all` tries it `PROPERTY_RUNS` times as often. */
export const runs = (times: number): { numRuns: number } => ({
  numRuns: times * Number(process.env.PROPERTY_RUNS || 1),
})
