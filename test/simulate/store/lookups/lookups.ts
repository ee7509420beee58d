import type { Kind } from '../../../../src/domain/kind.ts'
import { spendingKinds } from '../../../../src/domain/kind.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import { changeLookup } from '../change-lookup.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { isErased, purchaseKey } from '../rules.ts'
import { isOfCall } from './intents.ts'

export const isOwned = (
  sql: Sql,
  { organizationId, kind }: { organizationId: bigint; kind: Kind },
  remoteId: string,
): Promise<boolean> =>
  on(sql, ({ tables }) => {
    const organization = Number(organizationId)
    for (const l of tables.lookups.values()) {
      if (l.kind === kind && l.remoteId === remoteId && l.organizationId === organization) return true
    }
    return (tables.purchases.get(purchaseKey(organization, kind, remoteId))?.lookupId ?? null) !== null
  })

export const keepOwned = (sql: Sql, ids: bigint[]) =>
  on(sql, (database) => {
    keepOwnedIn(database, ids)
    return []
  })

/** Keeps in the purchase ledger what look-ups bought that are superseded: it stays theirs. */
export const keepOwnedIn = (database: ModelDatabase, ids: bigint[]): void => {
  const { lookups, purchases } = database.tables
  const newest = new Map<string, bigint>()
  for (const id of ids) {
    const l = lookups.get(id)
    if (!l || l.remoteId === null || !spendingKinds.includes(l.kind)) continue
    const key = purchaseKey(l.organizationId, l.kind, l.remoteId)
    if ((newest.get(key) ?? -1n) < id) newest.set(key, id)
  }
  for (const [key, id] of newest) {
    const l = lookups.get(id)!
    const known = purchases.get(key)
    if (known) database.set(known, { lookupId: id })
    else
      database.put(purchases, key, {
        organizationId: l.organizationId,
        kind: l.kind,
        remoteId: l.remoteId!,
        remoteKey: l.remoteKey,
        document: isErased(l) ? '' : l.question,
        dated: null,
        datedFrom: null,
        datedTo: null,
        status: null,
        deleted: false,
        snapshotId: 0n,
        lookupId: id,
        personKey: null,
        boughtAt: null,
      })
  }
}

export const settleParked = (
  sql: Sql,
  { lookupId, sendingAt: sentAt }: { lookupId: bigint; sendingAt: Date | null },
  action: {
    to: 'waiting' | 'queued' | 'cancelled'
    remote?: { id: string; key: string | null }
    batchId: bigint | null
  },
  deadlineAt: Date,
  now: Date,
): Promise<boolean> =>
  on(sql, (database) => {
    const lookup = database.tables.lookups.get(lookupId)
    if (lookup?.state !== 'unknown_outcome' || !isOfCall(lookup, sentAt)) return false
    const { to, remote } = action
    const isOver = to === 'cancelled'
    const ofPayer = database.tables.rows.get(lookup.batchId) ?? []
    const isFetched = ofPayer.some((row) => row.lookupId === lookupId && !row.cancelled)
    const isGiven = to === 'queued' || (to === 'waiting' && !isFetched)
    changeLookup(database, lookup, {
      state: to,
      batchId: (isGiven ? action.batchId : null) ?? lookup.batchId,
      charged: to === 'waiting' ? 'yes' : isOver && spendingKinds.includes(lookup.kind) ? lookup.charged : 'no',
      adoptedAt: to === 'waiting' ? now : null,
      remoteId: remote?.id ?? null,
      remoteKey: remote?.key ?? null,
      dueAt: isOver ? null : now,
      finishedAt: isOver ? now : null,
      deadlineAt,
      attempts: 0,
      polls: 0,
      unlistedAt: null,
      message: null,
    })
    return true
  })
