import type { Depth } from '../queue/boss-tables.ts'

/** How many jobs of a queue may wait to be taken: enough to keep workers busy, few enough to stay fair. */
const mostWaiting = 2

/** No other job is put before one that has waited this long. */
const longestPassedMs = 5_000

/** How many jobs each queue can take now. Small files have their own capacity, because a separate loop takes only them. */
export type Capacities = {
  of(queue: string, rows: number): { group: string; size: number }
  /** A file that fits into one job goes before large ones: it is soon done, and they are hardly delayed. */
  isSmall(queue: string, rows: number): boolean
  /** How large a batch may be that is worth searching: any size, small, or none. */
  mostRows(queue: string): number
}

const anyNumber = 2 ** 31 - 1

export const createCapacities = (depths: ReadonlyMap<string, Depth>, chunkSize: number): Capacities => {
  const sizeFor = (waiting: number | undefined): number => Math.max(0, mostWaiting - (waiting ?? 0)) * chunkSize
  const large = (queue: string) => ({ group: queue, size: sizeFor(depths.get(queue)?.large) })
  const small = (queue: string) => ({ group: `${queue}/small`, size: sizeFor(depths.get(queue)?.small) })
  const mayPass = (queue: string): boolean => (depths.get(queue)?.waitedMs ?? 0) < longestPassedMs
  const isSmall = (queue: string, rows: number): boolean => rows <= chunkSize && mayPass(queue)
  return {
    of: (queue, rows) => (isSmall(queue, rows) ? small(queue) : large(queue)),
    isSmall,
    mostRows(queue) {
      if (large(queue).size > 0) return anyNumber
      return mayPass(queue) && small(queue).size > 0 ? chunkSize : 0
    },
  }
}
