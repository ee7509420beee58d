import type { Sql } from '../../../../src/store/connect.ts'
import type { Heartbeat, Server, Taker, Worker } from '../../../../src/store/fleet/workers.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'

type Joining = { id: string; host: string; pid: number }

export const joinWorkers = (sql: Sql, { id, host, pid }: Joining) =>
  on(sql, (database) => {
    const { workers } = database.tables
    const now = database.now()
    if (!workers.has(id))
      database.put(workers, id, { id, host, pid, startedAt: now, heartbeatAt: now, share: 0, open: 0 })
    return []
  })

export const recordHeartbeat = (sql: Sql, id: string, share: number, open: number) =>
  on(sql, (database) => {
    const worker = database.tables.workers.get(id)
    if (!worker) return []
    database.set(worker, { heartbeatAt: database.now(), share, open })
    return [{ id }]
  })

export const heartbeatOn = (sql: Sql, taker: Taker, open: number): Promise<Heartbeat | null> =>
  on(sql, (database) => {
    const turn = nextTurn(database, taker)
    const worker = database.tables.workers.get(taker.id)
    if (!worker) return null
    const workers = inOrder(database)
    database.set(worker, { heartbeatAt: database.now(), open })
    return { ...turn, workers }
  })

const nextTurn = (database: ModelDatabase, { id, maySupervise }: Taker): Omit<Heartbeat, 'workers'> => {
  const { fleet } = database.tables
  const now = database.now()
  const { supervisor, supervisedAt } = fleet
  const isFree = !supervisor || supervisor === id || Math.abs(now.getTime() - supervisedAt.getTime()) > 5_000
  const lease = maySupervise && isFree ? { supervisor: id, supervisedAt: now } : {}
  database.set(fleet, { sequence: fleet.sequence + 1n, ...lease })
  return { sequence: fleet.sequence, start: database.start, at: now, supervises: fleet.supervisor === id }
}

const inOrder = ({ tables }: ModelDatabase): Worker[] =>
  [...tables.workers.values()]
    .map((worker) => ({ ...worker }))
    .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.id < b.id ? -1 : 1))

export const forgetWorkers = (sql: Sql, ids: string[]) =>
  on(sql, (database) => {
    for (const id of ids) database.drop(database.tables.workers, id)
    return []
  })

export const leaveWorkers = (sql: Sql, id: string) =>
  on(sql, (database) => {
    const { fleet, workers } = database.tables
    if (fleet.supervisor === id) database.set(fleet, { supervisor: null })
    database.drop(workers, id)
    return []
  })

export const listWorkers = (sql: Sql) => on(sql, inOrder)

export const databaseTime = (sql: Sql): Promise<Date> => on(sql, (database) => database.now())

export const readServer = (sql: Sql): Promise<Server> =>
  on(sql, (database) => {
    const { server, sequence, ledgerSince } = database.tables.fleet
    return {
      start: database.start,
      identity: database.identity,
      remembered: server,
      sequence,
      listReadAfter: ledgerSince ?? new Date(0),
      at: database.now(),
    }
  })

export const rememberServer = (sql: Sql, identity: string, ledgerSince: Date | null) =>
  on(sql, (database) => {
    const { fleet } = database.tables
    const known = fleet.ledgerSince
    const since = ledgerSince && (!known || ledgerSince > known) ? ledgerSince : known
    database.set(fleet, { server: identity, ledgerSince: since })
    return []
  })

export const takeTurn = (sql: Sql, taker: Taker): Promise<Omit<Heartbeat, 'workers'>> =>
  on(sql, (database) => nextTurn(database, taker))
