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
