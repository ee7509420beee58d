import { z } from 'zod'
import type { Sql } from '../store/connect.ts'
import { listWorkers } from '../store/fleet/workers.ts'
import { iso, moment } from './fields.ts'

/** Each worker's share of the bound, and its last heartbeat; a worker that died recently still has its share. */
export const workerShown = z.object({ host: z.string(), pid: z.int(), share: z.int(), open: z.int(), beat: moment })

export const readWorkers = async (sql: Sql): Promise<z.output<typeof workerShown>[]> =>
  (await listWorkers(sql)).map(({ host, pid, share, open, heartbeatAt }) => ({
    host,
    pid,
    share,
    open,
    beat: iso(heartbeatAt),
  }))
