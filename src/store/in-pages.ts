import type postgres from 'postgres'
import type { Sql } from './connect.ts'

/**
 * Hands out the rows of a query a thousand at a time, inside of a transaction that asks other things between two pages.
 *
 * The driver's own cursor has its connection to itself until its last page: whatever the same transaction asks before
 * that waits for the page, and the page for whoever asks. One at a time in each transaction.
 */
export async function* inPages<Row extends object>(tx: Sql, query: postgres.Fragment): AsyncGenerator<Row[]> {
  await tx`declare page_by_page no scroll cursor for ${query}`
  for (let rows = pageSize; rows === pageSize; ) {
    // Sent plainly: a statement that is kept by name would keep the columns of the cursor that it was first used with.
    const page: Row[] = await tx<Row[]>`fetch 1000 from page_by_page`.simple()
    rows = page.length
    if (rows > 0) yield page
  }
  await tx`close page_by_page`
}

const pageSize = 1_000
