import type { Sql } from './connect.ts'

/** Of the calls in doubt, those that wait for a person; the others are being judged. By the index `lookup_in_doubt`. */
export const countParked = async (sql: Sql): Promise<number> => {
  const [row] = await sql<
    { calls: number }[]
  >`select count(*)::int as calls from lookup where state = 'unknown_outcome'`
  return row!.calls
}
