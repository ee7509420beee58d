import type { Sql } from '../store/connect.ts'
import { type Holder, type NewestRow, newestRowsOf, type OwnNames } from '../views/own-row.ts'
import { readOwnRows } from './own-rows.ts'

/** Finds what people's own files call a document. */
export type FindOwnNames = (holder: Holder) => OwnNames | null

/**
 * The name and the reference of each document in the newest file about it.
 *
 * Rows are read in groups, in the order of their file: a million rows are spread over as many parts of it.
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
