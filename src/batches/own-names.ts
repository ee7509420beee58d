import type { Sql } from '../store/connect.ts'
import { type Holder, type NewestRow, newestRowsOf, type OwnNames } from '../views/own-row.ts'
import { readOwnRows } from './own-rows.ts'

/** What the files that people sent call a document. */
export type FindOwnNames = (holder: Holder) => OwnNames | null

/**
 * The name and the reference that the newest file about each of these documents gives it.
 *
 * Rows are read some at a time, in the order of their file: those of a million lie in as many parts of it.
 */
export const readOwnNames = async (sql: Sql, holders: readonly Holder[], revealed = false): Promise<FindOwnNames> => {
  const found = new Map<string, OwnNames>()
  for (const rows of Map.groupBy(await newestRowsOf(sql, holders), ({ fileId }) => fileId).values()) {
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const some = rows.slice(at, at + rowsAtOnce)
      const own = await readOwnRows(sql, some[0]!, some, revealed)
      for (const row of some) {
        const { name = null, ref = null } = own.get(row.line) ?? {}
        if (name || ref) found.set(keyOf(row), { name, ref })
      }
    }
  }
  return (holder) => found.get(keyOf(holder)) ?? null
}

const rowsAtOnce = 20

const keyOf = ({ organizationId, document }: Holder | NewestRow): string => `${organizationId} ${document}`
