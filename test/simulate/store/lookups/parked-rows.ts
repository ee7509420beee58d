import { type Kind, spendingKinds } from '../../../../src/domain/kind.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import type { RowLookup } from '../../../../src/store/lookups/parked-rows.ts'
import { on } from '../handle.ts'
import { byId, rowOutcome } from '../rules.ts'
import type { LookupRecord } from '../tables.ts'

const rowLookupOf = (l: LookupRecord): RowLookup => ({
  lookupId: l.id,
  organizationId: BigInt(l.organizationId),
  kind: l.kind,
  question: l.question,
  documentType: l.documentType,
  state: l.state,
  sendingAt: l.sentAt,
  payer: l.batchId,
})

/** Rows of histories name one document each. */
export const readRowLookups = (
  sql: Sql,
  batchId: bigint,
  line: number,
): Promise<(RowLookup & { part: number; outcome: string })[]> =>
  on(sql, ({ tables }) => {
    const row = tables.rows.get(batchId)?.find((each) => each.line === line)
    const lookup = row && tables.lookups.get(row.lookupId)
    return lookup ? [{ ...rowLookupOf(lookup), part: 0, outcome: rowOutcome(row, lookup) }] : []
  })

export const readParkedLookup = (
  sql: Sql,
  lookupId: bigint,
): Promise<(RowLookup & { batchId: bigint | null; line: number | null }) | null> =>
  on(sql, ({ tables }) => {
    const lookup = tables.lookups.get(lookupId)
    if (!lookup) return null
    const [row] = [...tables.rows.values()]
      .flat()
      .filter((each) => each.lookupId === lookupId && rowOutcome(each, lookup) === 'unknown_outcome')
      .sort((a, b) => Number(a.batchId - b.batchId) || a.line - b.line)
    return { ...rowLookupOf(lookup), batchId: row?.batchId ?? null, line: row?.line ?? null }
  })

export const chargeAnew = (
  sql: Sql,
  { lookupId, payer, kind }: { lookupId: bigint; payer: bigint; kind: Kind },
  batchId: bigint,
): Promise<void> =>
  on(sql, (database) => {
    const { rows, batches } = database.tables
    const own = (rows.get(batchId) ?? []).filter((each) => each.lookupId === lookupId)
    const [first] = own.sort((a, b) => Number(b.pays) - Number(a.pays) || a.line - b.line)
    if (first) database.set(first, { pays: true })
    if (payer === batchId || !spendingKinds.includes(kind)) return
    for (const id of [payer, batchId]) {
      const batch = batches.get(id)
      if (batch) database.set(batch, { toBePaid: Math.max(batch.toBePaid + (id === batchId ? 1 : -1), 0) })
    }
  })

export const reopenBatchesOf = (sql: Sql, lookupId: bigint, running: bigint | null): Promise<bigint[]> =>
  on(sql, (database) => {
    const { rows, batches } = database.tables
    const described = new Set(
      [...rows.values()].flat().flatMap((row) => (row.lookupId === lookupId && !row.cancelled ? [row.batchId] : [])),
    )
    const reopened = [...batches.values()].filter(({ id, counted }) => described.has(id) && counted).sort(byId)
    for (const batch of reopened) {
      const { id, state, pausedAt, finishedAt } = batch
      const isRun = state === 'done' || (id === running && state !== 'unconfirmed')
      database.set(batch, {
        finishedAt: null,
        pausedAt: id === running && finishedAt ? null : pausedAt,
        state: isRun ? 'running' : state,
      })
    }
    return reopened.map(({ id }) => id)
  })

export const listAllParked = async (): Promise<never> => {
  throw new Error('The list of parked rows is not part of a history')
}
