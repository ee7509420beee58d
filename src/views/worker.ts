import { z } from 'zod'
import type { Sql } from '../store/connect.ts'
import { listWorkers } from '../store/fleet/workers.ts'
import { iso, moment } from './fields.ts'

/** Who has how much of the bound, and when it was last heard of: one that died lately has its share still. */
export const workerShown = z.object({ host: z.string(), pid: z.int(), share: z.int(), open: z.int(), beat: moment })

export const readWorkers = async (sql: Sql): Promise<z.output<typeof workerShown>[]> =>
  (await listWorkers(sql)).map(({ host, pid, share, open, heartbeatAt }) => ({
    host,
    pid,
    share,
    open,
    beat: iso(heartbeatAt),
  }))
