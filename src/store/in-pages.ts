import type postgres from 'postgres'
import type { Sql } from './connect.ts'

/**
 * Reads the rows of a query a thousand at a time, in a transaction that runs other queries between two pages.
 *
 * The driver's own cursor keeps its connection until its last page: a query of the same transaction would wait for the
 * page, and the page for the query. Only one at a time in each transaction.
 */
export async function* inPages<Row extends object>(tx: Sql, query: postgres.Fragment): AsyncGenerator<Row[]> {
  await tx`declare page_by_page no scroll cursor for ${query}`
  for (let rows = pageSize; rows === pageSize; ) {
    // Sent unprepared: a named statement would keep the columns of the cursor that it was first used with.
    const page: Row[] = await tx<Row[]>`fetch 1000 from page_by_page`.simple()
    rows = page.length
    if (rows > 0) yield page
  }
  await tx`close page_by_page`
}

const pageSize = 1_000
