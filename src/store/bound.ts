import type postgres from 'postgres'
import type { Database, Sql, Transaction } from './connect.ts'
import { isAny } from './rows.ts'

type Organizations = readonly bigint[]

const bounds = new WeakMap<object, Organizations>()

/**
 * The same database for an operator who is limited to some organizations: every query that uses `within` leaves out what
 * belongs to others, also inside transactions.
 */
export const boundTo = <S extends Database | Transaction>(sql: S, organizations: Organizations): S => {
  const bound = new Proxy(sql, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      return name === 'begin' || name === 'savepoint' ? binding(member as Begin, organizations) : member
    },
  })
  bounds.set(bound, organizations)
  return bound
}

type Begin = (...values: unknown[]) => unknown

const binding =
  (begin: Begin, organizations: Organizations): Begin =>
  (...values) => {
    const body = values.pop() as (tx: Transaction) => unknown
    return begin(...values, (tx: Transaction) => body(boundTo(tx, organizations)))
  }

/** The organizations that the caller is limited to; null: all of them. */
export const boundsOf = (sql: Sql): Organizations | null => bounds.get(sql) ?? null

/** Whether this column names an organization whose data the caller may see. */
export const within = (sql: Sql, column: string): postgres.PendingQuery<postgres.Row[]> => {
  const organizations = boundsOf(sql)
  return organizations ? sql`${sql(column)} = any(${organizations}::bigint[])` : sql`true`
}

/** What the addresses of the page and the API name by number, each with its organization. */
const tables = {
  batch: 'vigia.batch',
  lookup: 'vigia.lookup',
  change: 'vigia.change',
  upload: 'vigia.upload',
  columns: 'vigia.column_choice',
} as const

export type Owned = keyof typeof tables

export const isOwn = (sql: Sql, what: Owned, id: string): Promise<boolean> =>
  isAny(sql`select from ${sql(tables[what])} where id = ${id}::bigint and ${within(sql, 'organization_id')}`)
