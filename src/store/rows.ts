import type postgres from 'postgres'
import type { RiskFigures } from '../domain/risk-change.ts'
import type { Sql } from './connect.ts'

/** The first row of a query; null if there is none. The caller says what a row is, as it does with `sql`. */
export const firstRow = async <Row>(query: PromiseLike<readonly object[]>): Promise<Row | null> =>
  ((await query)[0] as Row | undefined) ?? null

/** The row of a query that always has one. */
export const onlyRow = async <Row>(query: PromiseLike<readonly object[]>): Promise<Row> => (await query)[0] as Row

/** The only column of the first row; null if there is no row. */
export const firstValue = async <Value>(query: PromiseLike<readonly object[]>): Promise<Value> =>
  (Object.values((await query)[0] ?? {})[0] ?? null) as Value

/** The only column of every row. */
export const allValues = async <Value>(query: PromiseLike<readonly object[]>): Promise<Value[]> =>
  (await query).map((row) => Object.values(row)[0] as Value)

type Statement = PromiseLike<{ count: number }>

/** How many rows a statement found, wrote or deleted. */
export const countRows = async (statement: Statement): Promise<number> => (await statement).count

/** Whether a statement found, wrote or deleted a row. */
export const isAny = async (statement: Statement): Promise<boolean> => (await statement).count > 0

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

/** A row with the figures of now, and with the earlier ones. */
export type FigureRow = RiskFigures & { [Name in keyof RiskFigures as `${Name}Before`]: RiskFigures[Name] }

/** The same with both sides apart. */
export const splitFigures = <Row extends FigureRow>(row: Row) => {
  const { processes, counts, cents, processesBefore, countsBefore, centsBefore, ...rest } = row
  const before: RiskFigures = { processes: processesBefore, counts: countsBefore, cents: centsBefore }
  const after: RiskFigures = { processes, counts, cents }
  return { ...rest, before, after }
}
