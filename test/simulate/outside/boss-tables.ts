import type { Depth } from '../../../src/queue/boss-tables.ts'
import type { Sql } from '../../../src/store/connect.ts'
import { on } from '../store/handle.ts'

export const queueDepths = (sql: Sql, names: string[]): Promise<Map<string, Depth>> =>
  on(sql, (database) => {
    const now = database.now().getTime()
    const depths = new Map<string, Depth>()
    for (const { name, state, priority, createdAt } of database.tables.jobs.values()) {
      if (state === 'active' || !names.includes(name)) continue
      const depth = depths.get(name) ?? { large: 0, small: 0, waitedMs: 0 }
      depths.set(name, depth)
      if (priority > 0) depth.small++
      else {
        depth.large++
        depth.waitedMs = Math.max(depth.waitedMs, now - createdAt)
      }
    }
    return depths
  })

export const releaseOrphans = (sql: Sql): Promise<number> =>
  on(sql, (database) => {
    const { claims, jobs } = database.tables
    let released = 0
    for (const { jobId, ids } of [...claims.values()]) {
      if (jobs.has(jobId)) continue
      database.drop(claims, jobId)
      released += ids.length
    }
    return released
  })

export const bossSchema = 'pgboss'
