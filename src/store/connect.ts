import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import type postgres from 'postgres'
import { arrayTypes } from './arrays.ts'
import { driver } from './driver.ts'
import { reachForDriver } from './primary.ts'

/** What a query needs. Pools and transactions both have this type, so the same function works in and out of a transaction. */
export type Sql = postgres.ISql<Types>
/**
 * The pool: a `Sql` that can also begin transactions and end. It reserves no connection: the driver would write to one that has
 * closed, which ends the process.
 */
export type Database = Sql & Omit<postgres.Sql<Types>, 'reserve' | keyof Sql>
/** What `begin` passes on: a `Sql` with savepoints. */
export type Transaction = postgres.TransactionSql<Types>

type Types = { bigint: bigint }

type ConnectOptions = {
  max?: number
  name?: string
  /** Whether each connection has a session of its own on the server, as `hasOwnSession` finds out. */
  hasSession?: boolean
}

/**
 * Opens a pool. Nothing is sent before the first query. A column `batch_id` of a result arrives as `batchId`.
 *
 * It uses nothing that a pooler between us and the server would refuse: every name in our SQL carries its schema. A
 * connection without a session of its own keeps no named statement on the server, and sends none before the last one is
 * answered: PgBouncer releases the session with that answer, and what was sent ahead is never answered.
 */
export const connect = (url: string, options: ConnectOptions = {}): Database => {
  const { max = 10, name = 'vigia', hasSession = false } = options
  const server = reachForDriver(url)
  const sql = driver(server.url, {
    ...server.options,
    max,
    prepare: hasSession,
    types: { ...arrayTypes, bigint: driver.BigInt },
    fetch_types: false,
    transform: { column: { from: driver.toCamel } },
    connection: { application_name: name },
    connect_timeout: 10,
    backoff: (tries: number) => Math.min(longestWaitSeconds, 0.05 * 2 ** Math.min(tries, 10)),
    onnotice: () => {},
  })
  return adapt(sql, hasSession ? (query) => query : sendAlone)
}

/**
 * Whether PostgreSQL could not be reached, or refused a statement for a temporary reason: a server that is shut down, taken
 * over or full, a deadlock, a transaction that was lost.
 */
export const isPassing = (error: unknown): boolean =>
  /^(ECONN|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN|EPIPE|CONNECT|08|25006|40|53|57P)/.test(
    String((error as { code?: unknown } | null)?.code ?? ''),
  )

/**
 * The time between two attempts to reach a server that is gone; the driver would wait up to twenty seconds. A query waits
 * as long before it fails, and a page that waits answers nobody.
 */
const longestWaitSeconds = 0.5

/**
 * Lets `any(${ids})` take an array of bigint, Date or boolean, and passes each statement to `send`, also inside transactions.
 *
 * postgres.js types an array by its first element, so PostgreSQL would read a list of bigint as one bigint. Without a type
 * PostgreSQL infers it, as it does for texts and numbers.
 */
const adapt = <S extends Sql>(sql: S, send: (query: Query) => Query): S =>
  new Proxy(sql, {
    apply(target, self, [first, ...values]: unknown[]) {
      const call = (given: unknown[]) => Reflect.apply(target as unknown as Tag, self, [first, ...given])
      return isTemplate(first) ? send(call(values.map((value) => unnamed(sql, value))) as Query) : call(values)
    },
    get(target, name) {
      const member = Reflect.get(target, name) as Tag
      if (name === 'unsafe') return (...values: unknown[]) => send(member(...values) as Query)
      if (name !== 'begin' && name !== 'savepoint') return member
      return (...values: unknown[]) => {
        const body = values.pop() as Tag
        return member(...values, (inner: Sql) => body(adapt(inner, send)))
      }
    },
  })

type Tag = (...values: unknown[]) => unknown
type Query = { options: { onexecute?: () => boolean } }

/**
 * Keeps the driver from sending another statement before this one is answered. Its setting for that, `max_pipeline: 0`, would
 * let no transaction begin.
 */
const sendAlone = (query: Query): Query => {
  query.options.onexecute = () => false
  return query
}

const isTemplate = (value: unknown): boolean => Array.isArray(value) && 'raw' in value

const unnamed = (sql: Sql, value: unknown): unknown => {
  const [first] = Array.isArray(value) ? value : []
  const misnamed = typeof first === 'bigint' || typeof first === 'boolean' || first instanceof Date
  return misnamed ? sql.typed(value, 0) : value
}

/**
 * Runs work that holds one connection of the pool and needs a second one. No more runs at once than the pool can serve:
 * otherwise all connections could be held, and each holder would wait for one more for ever.
 *
 * Two connections are left to the readers of the registry's lists, which limit themselves, so that no list waits for an
 * export.
 */
export const besideAnother = <T>(sql: Database, work: () => Promise<T>): Promise<T> => {
  const turns = places.get(sql.options) ?? pLimit(Math.max(1, Math.floor((sql.options.max - 2) / 2)))
  places.set(sql.options, turns)
  return turns(work)
}

const places = new WeakMap<Database['options'], LimitFunction>()

const known = new Map<string, Promise<boolean>>()

/**
 * Whether each connection to this address has a session of its own on the server, checked once at the start.
 *
 * Only then may statements be kept there by name: behind a pool in transaction mode the next transaction may get another
 * session, which knows none of them. If this is uncertain the answer is no, and every statement is sent in full.
 */
export const hasOwnSession = (url: string): Promise<boolean> => {
  const asked = known.get(url) ?? hasSession(url)
  known.set(url, asked)
  asked.catch(() => known.delete(url))
  return asked
}

/**
 * A server greets each connection with the number of the process that serves it. A pool greets with a number of its own, or
 * with that of a process which others use as well: then, while one of two connections is in a transaction, another process
 * answers on the other.
 */
const hasSession = async (url: string): Promise<boolean> => {
  const [one, two] = [connect(url, { max: 1 }), connect(url, { max: 1 })]
  try {
    if (!(await isGreeter(one))) return false
    return (await aloneBeside(one, two)) && (await aloneBeside(two, one))
  } finally {
    await Promise.all([one.end({ timeout: 1 }), two.end({ timeout: 1 })])
  }
}

const aloneBeside = (busy: Database, idle: Sql): Promise<boolean> =>
  busy.begin(async (tx) => (await isGreeter(tx)) && (await isGreeter(idle)))

const isGreeter = async (sql: Sql): Promise<boolean> => {
  const answer = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return answer[0]!.pid === answer.state.pid
}

const listenMs = 1_000

/**
 * Whether a connection receives notifications. Without a session of its own this is tried: a pool in session mode delivers
 * them, one in transaction mode does not.
 */
export const isNotified = async (url: string): Promise<boolean> => {
  if (await hasOwnSession(url)) return true
  const trial = connect(url, { max: 1, name: 'vigia listener' })
  const channel = `vigia_try_${randomBytes(6).toString('hex')}`
  const heard = Promise.withResolvers<boolean>()
  try {
    const { unlisten } = await trial.listen(channel, () => heard.resolve(true))
    await trial.notify(channel, '')
    const isHeard = await Promise.race([heard.promise, pause(listenMs, false)])
    await unlisten()
    return isHeard
  } catch {
    return false
  } finally {
    await trial.end({ timeout: 1 })
  }
}
