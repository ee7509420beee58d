import type postgres from 'postgres'
import { arrayTypes } from './arrays.ts'
import { driver } from './driver.ts'
import { reachForDriver } from './primary.ts'

/** What a query needs. Pools and transactions both have this type, so the same function works in and out of a transaction. */
export type Sql = postgres.ISql<Types>
/** The pool: a `Sql` that can also begin transactions and end. */
export type Database = postgres.Sql<Types>
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
 * Opens a pool. Nothing is sent before the first query.
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
    ...(!hasSession && { max_pipeline: 0 }),
    types: { ...arrayTypes, bigint: driver.BigInt },
    fetch_types: false,
    connection: { application_name: name },
    connect_timeout: 10,
    backoff: (tries: number) => Math.min(longestWaitSeconds, 0.05 * 2 ** Math.min(tries, 10)),
    onnotice: () => {},
  })
  return acceptArrays(sql)
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
 * Lets `any(${ids})` take an array of bigint, Date or boolean.
 *
 * postgres.js types an array by its first element, so PostgreSQL would read a list of bigint as one bigint. Without a type
 * PostgreSQL infers it, as it does for texts and numbers.
 */
const acceptArrays = <S extends postgres.ISql<{ bigint: bigint }>>(sql: S): S =>
  new Proxy(sql, {
    apply(target, self, [first, ...values]: unknown[]) {
      const given = isTemplate(first) ? values.map((value) => unnamed(sql, value)) : values
      return Reflect.apply(target as unknown as Tag, self, [first, ...given])
    },
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      return name in inner ? inner[name as keyof typeof inner](member as Tag) : member
    },
  })

type Tag = (...values: unknown[]) => unknown

/** What passes on another connection must pass on one with the same fix. */
const inner = {
  begin: (member: Tag) => takingBody(member),
  savepoint: (member: Tag) => takingBody(member),
  reserve: (member: Tag) => async () => acceptArrays((await member()) as postgres.ISql<{ bigint: bigint }>),
}

const takingBody =
  (member: Tag) =>
  (...values: unknown[]) => {
    const body = values.pop() as Tag
    return member(...values, (sql: postgres.ISql<{ bigint: bigint }>) => body(acceptArrays(sql)))
  }

const isTemplate = (value: unknown): boolean => Array.isArray(value) && 'raw' in value

const unnamed = (sql: postgres.ISql<{ bigint: bigint }>, value: unknown): unknown => {
  const [first] = Array.isArray(value) ? value : []
  const misnamed = typeof first === 'bigint' || typeof first === 'boolean' || first instanceof Date
  return misnamed ? sql.typed(value, 0) : value
}
