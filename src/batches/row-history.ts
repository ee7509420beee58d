import type { Batch } from '../store/batches/batches.ts'
import type { Sql } from '../store/connect.ts'
import { readTrace } from '../store/lookups/lookups.ts'
import { readAnswer } from '../views/answer.ts'
import { documentColumns } from '../views/own-row.ts'
import { readBatchRow } from '../views/row.ts'
import {
  type LookupHistoryView,
  type Mask,
  type RowHistory,
  type RowRecord,
  toLookupHistoryView,
  toRowHistoryView,
} from '../views/row-history.ts'
import { BatchRefusal, batchOrRefuse, partOrRefuse } from './batch-or-refuse.ts'
import { readNameMatches, readOwnRows } from './own-rows.ts'

/** A row of a batch, or one of its documents by its column; without one the first. */
export type WantedRow = { line: number; column?: string | undefined }

/** `revealed`: with the names and documents of the file unmasked. */
export const readRowRecord = async (
  sql: Sql,
  batch: Pick<Batch, 'id' | 'fileId' | 'layout'>,
  { line, column }: WantedRow,
  revealed = false,
): Promise<RowRecord | null> => {
  const row = await readBatchRow(sql, batch.id, line, partOrRefuse(batch, column) ?? 0)
  if (!row) return null
  const lookup = row.lookupId === null ? null : await readTrace(sql, row.lookupId)
  const state = row.outcome === 'pending' ? (lookup?.state ?? null) : row.outcome
  const answer = lookup && row.isShown ? await readAnswer(sql, lookup.id) : null
  const own = (await readOwnRows(sql, batch, [row], revealed)).get(line) ?? null
  const name = (await readNameMatches(sql, batch, [{ ...row, answer }])).get(line) ?? null
  return { row, own, lookup, answer, state, name, columns: documentColumns(batch) }
}

/** Everything that happened to one row, for a person or a program. */
export const readRowHistory = async (sql: Sql, batchId: bigint, place: WantedRow, mask: Mask): Promise<RowHistory> => {
  const record = await readRowRecord(sql, await batchOrRefuse(sql, batchId), place)
  if (!record) throw new BatchRefusal(['no_line', batchId, place.line])
  return toRowHistoryView(batchId, record, mask)
}

/** What happened to a look-up without a row. */
export const readLookupHistory = async (sql: Sql, id: bigint, mask: Mask): Promise<LookupHistoryView> => {
  const found = await readTrace(sql, id)
  if (!found) throw new BatchRefusal(['no_lookup', id])
  return toLookupHistoryView(found, mask)
}
