import type { Sql } from '../store/connect.ts'
import { listAllParked, type Parked } from '../store/lookups/parked-rows.ts'
import type { OwnRow } from '../views/own-row.ts'
import { type ParkedShown, readCandidates, toParkedView } from '../views/parked.ts'
import { readOwnRows } from './own-rows.ts'

/** A purchase with an unknown outcome, the registry's purchases of its document, and the file's text of its row. */
export type ParkedCall = Parked & { candidates: ParkedShown['candidates']; own: OwnRow | null }

/** Every purchase with an unknown outcome, oldest first, with the listed purchases that it may be. */
export const listParkedCalls = async (sql: Sql, limit: number): Promise<ParkedCall[]> => {
  const rows = await listAllParked(sql, limit)
  const ids = rows.map(({ lookupId }) => lookupId)
  const [candidates, own] = [await readCandidates(sql, ids), await ownRowsOf(sql, rows)]
  return rows.map((row) => ({
    ...row,
    candidates: candidates.get(row.lookupId) ?? [],
    own: own.get(row.lookupId) ?? null,
  }))
}

export const readParked = async (sql: Sql, limit: number): Promise<ParkedShown[]> =>
  (await listParkedCalls(sql, limit)).map((parkedCall) => toParkedView(parkedCall, parkedCall))

/** The file's text of the parked rows; there are few of them, in few files. */
const ownRowsOf = async (sql: Sql, rows: readonly Parked[]): Promise<Map<bigint, OwnRow>> => {
  const found = new Map<bigint, OwnRow>()
  for (const some of Map.groupBy(rows, ({ batchId }) => batchId).values()) {
    const placed = some.flatMap(({ line, startAt, size }) =>
      line === null || startAt === null || size === null ? [] : [{ line, startAt, size }],
    )
    const own = await readOwnRows(sql, some[0]!, placed)
    for (const { lookupId, line } of some) if (line !== null && own.has(line)) found.set(lookupId, own.get(line)!)
  }
  return found
}
