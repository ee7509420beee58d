import type { DueLookup } from '../store/due-lookups.ts'

/** Look-ups that go to one job: one lane, one state, and suspects apart. */
export type Chunk = { lookups: DueLookup[] }

/** Died three times alone in hand: once in a full job, once in a small one, then three times by itself. */
export const poisonAt = 5

export const makeChunks = (lookups: DueLookup[], size: number): Chunk[] => {
  const lanes = Map.groupBy(lookups, (l) => `${l.organizationId}/${l.kind}/${l.state}/${Math.min(l.suspicion, 2)}`)
  return [...lanes.values()].flatMap((lane) => {
    const most = sizeUnderSuspicion(lane[0]?.suspicion ?? 0, size)
    return Array.from({ length: Math.ceil(lane.length / most) }, (_, i) => ({
      lookups: lane.slice(i * most, (i + 1) * most),
    }))
  })
}

const sizeUnderSuspicion = (suspicion: number, size: number): number =>
  suspicion === 0 ? size : suspicion === 1 ? Math.min(16, size) : 1
