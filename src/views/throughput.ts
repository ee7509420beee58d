import { latencyLimits, latencyOf } from '../domain/pace.ts'
import type { Sql } from '../store/connect.ts'
import { listThroughput, type Throughput } from '../store/fleet/throughput.ts'

const minutes = 60
const minute = 60_000
const nothing: Throughput = { lookups: 0, failures: 0, calls: [] }

export type LastHour = {
  calls: number
  lookups: number
  failures: number
  /** Within how many seconds half, and 95 %, of the calls were answered. */
  median: number
  slow: number
  minutes: { at: Date; perSecond: number; failures: number; slow: number | null }[]
}

/** The last hour of all workers, by minute, and in total; null if they called nothing. */
export const readLastHour = async (sql: Sql, now: Date): Promise<LastHour | null> => {
  const newest = Math.floor(now.getTime() / minute) * minute
  const times = [...Array(minutes).keys()].map((at) => newest - (minutes - 1 - at) * minute)
  const recorded = await listThroughput(sql, new Date(times[0]!))
  const calls = latencyLimits.map((_, place) => sum(recorded, (each) => each.calls[place] ?? 0))
  const total = sum(calls, (count) => count)
  if (total === 0) return null
  const known = new Map(recorded.map((each) => [each.minute.getTime(), each]))
  return {
    calls: total,
    lookups: sum(recorded, ({ lookups }) => lookups),
    failures: sum(recorded, ({ failures }) => failures),
    median: latencyOf(calls, 0.5)!,
    slow: latencyOf(calls, 0.95)!,
    minutes: times.map((time) => {
      const { lookups, failures, calls } = known.get(time) ?? nothing
      return { at: new Date(time), perSecond: lookups / 60, failures, slow: latencyOf(calls, 0.95) }
    }),
  }
}

const sum = <Each>(list: readonly Each[], of: (each: Each) => number): number =>
  list.reduce((total, each) => total + of(each), 0)
