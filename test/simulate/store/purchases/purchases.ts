import type { Purchase } from '../../../../src/domain/judge.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import type { LedgerEntry as ListedPurchase, PaidLane } from '../../../../src/store/purchases/purchases.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { byText, isErased, isMisdated, mayOwn, owns, purchaseKey } from '../rules.ts'
import type { LookupRecord, PurchaseRecord } from '../tables.ts'

export const recordPurchases = (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  snapshotId: bigint,
  page: ListedPurchase[],
): Promise<boolean> =>
  on(sql, (database) => {
    const { purchases, snapshots } = database.tables
    const snapshot = snapshots.get(snapshotId)
    const isOpen = snapshot !== undefined && snapshot.problem === null
    const listed = new Map<string, ListedPurchase>()
    for (const each of page) if (!listed.has(each.id)) listed.set(each.id, each)
    let agrees = true
    for (const each of listed.values()) {
      const known = purchases.get(purchaseKey(organizationId, kind, each.id))
      if (known && known.document !== each.document && known.document !== '') agrees = false
    }
    if (!isOpen) return agrees
    for (const each of listed.values()) write(database, { organizationId, kind }, snapshotId, each)
    return agrees
  })

const write = (
  database: ModelDatabase,
  { organizationId, kind }: PaidLane,
  snapshotId: bigint,
  each: ListedPurchase,
) => {
  const { purchases } = database.tables
  const key = purchaseKey(organizationId, kind, each.id)
  const { dated, datedFrom, datedTo, deleted, status } = each
  const known = purchases.get(key)
  if (!known) {
    const owner = { lookupId: null, personKey: null, boughtAt: null }
    const listed = { remoteId: each.id, remoteKey: each.key, document: each.document }
    const all = { organizationId, kind, ...listed, dated, datedFrom, datedTo, status, deleted, snapshotId, ...owner }
    return database.put(purchases, key, all)
  }
  const isSame = known.deleted === deleted && known.dated === dated && known.datedTo?.getTime() === datedTo?.getTime()
  if (!isSame) database.set(known, { deleted, status, dated, datedFrom, datedTo })
}

const bySnapshot = (a: PurchaseRecord, b: PurchaseRecord): number =>
  a.snapshotId < b.snapshotId ? -1 : a.snapshotId > b.snapshotId ? 1 : byText(a.remoteId, b.remoteId)

export const mayFindOurs = (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  { sentAfter, refusedAfter }: { sentAfter: Date; refusedAfter: Date },
): Promise<boolean> =>
  on(sql, (database) => {
    const { lookups, purchases } = database.tables
    const isListed = (l: LookupRecord): boolean =>
      [...purchases.values()].some(
        (p) =>
          p.document === l.question &&
          p.kind === kind &&
          p.organizationId === organizationId &&
          p.snapshotId > (l.snapshotId ?? 0n) &&
          isUnowned(database, p),
      )
    return [...lookups.values()].some(
      (l) =>
        l.kind === kind &&
        l.organizationId === organizationId &&
        l.state === 'sending' &&
        l.dueAt !== null &&
        ((l.refusedAs === null ? l.sentAt! > sentAfter : l.unlistedAt! > refusedAfter) || isListed(l)),
    )
  })

export const isUnowned = ({ tables }: ModelDatabase, p: PurchaseRecord): boolean => {
  if (p.lookupId !== null) return false
  for (const l of tables.lookups.values()) if (owns(l, p)) return false
  return true
}

export const mayBeOthers = ({ tables }: ModelDatabase, p: PurchaseRecord): boolean => {
  for (const l of tables.lookups.values()) if (mayOwn(l, p)) return true
  return false
}

export const unownedPurchases = (
  sql: Sql,
  { organizationId, kind }: PaidLane,
  documents: string[],
): Promise<Map<string, Purchase[]>> =>
  on(sql, (database) => {
    const wanted = new Set(documents)
    const found = [...database.tables.purchases.values()]
      .filter((p) => wanted.has(p.document) && p.kind === kind && p.organizationId === organizationId)
      .filter((p) => isUnowned(database, p))
      .sort(bySnapshot)
    const purchases = found.map((p) => {
      const misdated = isMisdated(database, p)
      return {
        document: p.document,
        remoteId: p.remoteId,
        remoteKey: p.remoteKey,
        remote: { id: p.remoteId, key: p.remoteKey },
        dated: p.dated,
        datedFrom: misdated ? null : p.datedFrom,
        datedTo: misdated ? null : p.datedTo,
        seen: p.status,
        deleted: p.deleted,
        listSnapshotId: p.snapshotId,
        mayBeOthers: mayBeOthers(database, p),
      }
    })
    return Map.groupBy(purchases, ({ document }) => document)
  })

export const isKnownDayFirst = (sql: Sql, { organizationId, kind }: PaidLane): Promise<boolean> =>
  on(sql, ({ tables }) =>
    [...tables.purchases.values()].some(
      (p) =>
        p.organizationId === organizationId &&
        p.kind === kind &&
        /^(1[3-9]|2[0-9]|3[01])\/[0-9]{2}\//.test(p.dated ?? ''),
    ),
  )

export const hasPurchases = (sql: Sql, { organizationId, kind }: PaidLane): Promise<boolean> =>
  on(sql, ({ tables }) => {
    const isOfLane = (each: { organizationId: number; kind: string }): boolean =>
      each.organizationId === organizationId && each.kind === kind
    return (
      [...tables.purchases.values()].some(isOfLane) ||
      [...tables.lookups.values()].some(
        (l) => isOfLane(l) && (l.remoteId !== null || l.charged !== 'no' || tables.intents.has(l.id)),
      )
    )
  })

type OwnPurchase = { document: string; remoteId: string; boughtAt: Date }

export const latestOfEach = (sql: Sql, { organizationId, kind }: PaidLane, since: Date, until: Date) =>
  on(sql, ({ tables }): OwnPurchase[] => {
    const own = [...tables.lookups.values()].filter(
      (l) =>
        l.kind === kind &&
        l.organizationId === organizationId &&
        l.current &&
        l.remoteId !== null &&
        l.charged === 'yes' &&
        l.sentAt !== null &&
        l.sentAt >= since &&
        l.sentAt <= until &&
        !isErased(l),
    )
    return ['ok', 'not_found', 'timed_out', 'waiting'].flatMap((state) => {
      const [latest] = own.filter((l) => l.state === state).sort((a, b) => b.sentAt!.getTime() - a.sentAt!.getTime())
      return latest ? [{ document: latest.question, remoteId: latest.remoteId!, boughtAt: latest.sentAt! }] : []
    })
  })

export const ownPurchases = async function* (
  sql: Sql,
  { organizationId, kind }: PaidLane,
): AsyncGenerator<(Omit<OwnPurchase, 'document'> & { document: string | null })[]> {
  yield await on(sql, ({ tables }) =>
    [...tables.lookups.values()]
      .filter(
        (l) =>
          l.kind === kind &&
          l.organizationId === organizationId &&
          l.current &&
          l.remoteId !== null &&
          l.charged === 'yes',
      )
      .map((l) => ({
        document: isErased(l) ? null : l.question,
        remoteId: l.remoteId!,
        boughtAt: l.sentAt ?? l.adoptedAt ?? l.askedAt,
      })),
  )
}

/** The registry of a history names no earlier purchases, so nothing contradicts the ledger. */
export const recordContradiction = async (): Promise<boolean> => {
  throw new Error('The registry of the simulation names no earlier purchase')
}
