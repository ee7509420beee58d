import type postgres from 'postgres'
import { acceptArrays } from './connect-arrays.ts'
import { mendDriver } from './mend-driver.ts'

const confirmMended = mendDriver()
const { default: open } = await import('postgres')
confirmMended(open)

/** What a query needs. A pool and a transaction both are one, so the same function works in and out of a transaction. */
export type Sql = postgres.ISql<Types>
/** The pool: a `Sql` that can also begin transactions and end. */
export type Database = postgres.Sql<Types>
/** What `begin` hands out: a `Sql` with savepoints. */
export type Transaction = postgres.TransactionSql<Types>

type Types = { bigint: bigint }

/** Opens a pool on the schema `vigia`. Nothing is sent before the first query. */
export function connect(url: string, { max = 10, name = 'vigia' }: { max?: number; name?: string } = {}): Database {
  const sql = open(url, {
    max,
    types: { bigint: open.BigInt },
    connection: { application_name: name, search_path: 'vigia' },
    connect_timeout: 10,
    backoff: (tries: number) => Math.min(longestWaitSeconds, 0.05 * 2 ** Math.min(tries, 10)),
    onnotice: () => {},
  })
  return acceptArrays(sql)
}

/**
 * Between two tries to reach a server that is gone, where the driver would wait up to twenty: whoever asks meanwhile
 * waits as long before they hear that it is gone, and a page that waits answers nobody.
 */
const longestWaitSeconds = 0.5
