/** How many look-ups make a job of about two seconds: long enough to cost little, short enough to be fair. */
export type Pace = { chunkSize(): number; record(lookups: number, ms: number): void }

const wantedMs = 2_000
const smallest = 32
const largest = 500

export const createPace = (): Pace => {
  let perSecond = 100
  return {
    chunkSize: () => Math.round(Math.min(largest, Math.max(smallest, (perSecond * wantedMs) / 1_000))),
    record(lookups, ms) {
      if (lookups < smallest / 2) return
      perSecond = perSecond / 2 + ((lookups / Math.max(ms, 1)) * 1_000) / 2
    },
  }
}
