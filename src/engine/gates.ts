import type { Kind } from '../domain/kind.ts'

/** Every call of a lane passes it on its way out; the first answer that holds the lane closes it. */
export type Gate = {
  readonly isClosed: boolean
  close(): void
  /** The hold is on record: whoever comes after it, or tries the lane, finds a new gate. */
  replace(): void
}

/** The gates of this process, one per lane. A closed one never opens again, so that all who passed it before stop. */
export const createGates = (): ((lane: { organizationId: number; kind: Kind }) => Gate) => {
  const gates = new Map<string, Gate>()

  const createGate = (lane: string): Gate => {
    let isClosed = false
    const gate: Gate = {
      get isClosed() {
        return isClosed
      },
      close() {
        isClosed = true
      },
      replace() {
        if (gates.get(lane) === gate) gates.delete(lane)
      },
    }
    gates.set(lane, gate)
    return gate
  }

  return ({ organizationId, kind }) => {
    const lane = `${organizationId}/${kind}`
    return gates.get(lane) ?? createGate(lane)
  }
}
