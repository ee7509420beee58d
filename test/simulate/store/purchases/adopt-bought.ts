import type { Transaction } from '../../../../src/store/connect.ts'
import { changeLookup } from '../change-lookup.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { personKeyOf } from '../person-key.ts'
import { isMisdated, mayOwn, owns } from '../rules.ts'
import type { LookupRecord, PurchaseRecord } from '../tables.ts'

const dayMs = 86_400_000

type Adoption = { of: 'any' | 'forgotten'; freshSince: Date; deadlineAt: Date; now: Date }

/** Lets queued look-ups take what their organization has bought already. */
export const adoptBought = (
  sql: Transaction,
  scope: { batchId: bigint } | { ids: bigint[] },
  adoption: Adoption,
): Promise<bigint[]> =>
  on(sql, (database) => {
    const { lookups, intents } = database.tables
    const scoped =
      'ids' in scope
        ? scope.ids.flatMap((id) => lookups.get(id) ?? [])
        : [...lookups.values()].filter(({ batchId }) => batchId === scope.batchId)
    restoreErased(database, scoped, adoption.freshSince)
    const adopted: LookupRecord[] = []
    for (const lookup of scoped) {
      if (lookup.state !== 'queued' || !lookup.current || intents.has(lookup.id)) continue
      const best = bestOffer(database, lookup, adoption)
      if (best) adopted.push(adopt(database, lookup, best, adoption))
    }
    for (const [batchId, group] of Map.groupBy(adopted, ({ batchId }) => batchId)) {
      const batch = database.tables.batches.get(batchId)
      if (!batch) continue
      const toBePaid = Math.max(batch.toBePaid - group.length, 0)
      database.set(batch, { toBePaid, adopted: batch.adopted + group.length })
    }
    return adopted.map(({ id }) => id)
  })

/** Purchases of erased people who are asked about again get their documents back. */
const restoreErased = (database: ModelDatabase, scoped: LookupRecord[], freshSince: Date): void => {
  const erased = [...database.tables.purchases.values()].filter(
    (p) => p.personKey !== null && !p.deleted && (p.boughtAt === null || p.boughtAt > freshSince),
  )
  if (erased.length === 0) return
  for (const { state, current, question, kind, organizationId } of scoped) {
    if (state !== 'queued' || !current) continue
    const key = personKeyOf(question)
    for (const p of erased) {
      if (p.personKey !== key || p.kind !== kind || p.organizationId !== organizationId) continue
      database.set(p, { document: question, personKey: null, lookupId: null })
    }
  }
}

const bestOffer = (database: ModelDatabase, lookup: LookupRecord, adoption: Adoption): PurchaseRecord | null => {
  let best: PurchaseRecord | null = null
  for (const p of database.tables.purchases.values()) {
    if (p.document !== lookup.question || p.kind !== lookup.kind || p.organizationId !== lookup.organizationId) continue
    if (isAdoptable(database, p, adoption) && (!best || isBetter(p, best))) best = p
  }
  return best
}

/** The latest date first, none last, then the greatest number. */
const isBetter = (p: PurchaseRecord, best: PurchaseRecord): boolean => {
  const [one, other] = [p.datedTo?.getTime() ?? -Infinity, best.datedTo?.getTime() ?? -Infinity]
  return one === other ? p.remoteId > best.remoteId : one > other
}

const isAdoptable = (database: ModelDatabase, p: PurchaseRecord, { of, freshSince }: Adoption): boolean => {
  const isYoung = p.datedTo === null || p.datedTo > freshSince || isMisdated(database, p)
  if (p.deleted || !isYoung || p.lookupId !== null) return false
  for (const l of database.tables.lookups.values()) if (owns(l, p) || mayOwn(l, p)) return false
  return of === 'any' || p.boughtAt !== null || mayBeForgotten(database, p)
}

const mayBeForgotten = ({ tables }: ModelDatabase, p: PurchaseRecord): boolean => {
  const { ledgerSince } = tables.fleet
  if (ledgerSince === null) return false
  return p.datedFrom === null || p.datedFrom.getTime() <= ledgerSince.getTime() + dayMs
}

const adopt = (
  database: ModelDatabase,
  lookup: LookupRecord,
  p: PurchaseRecord,
  { deadlineAt, now }: Adoption,
): LookupRecord => {
  changeLookup(database, lookup, {
    state: 'waiting',
    remoteId: p.remoteId,
    remoteKey: p.remoteKey,
    adoptedAt: now,
    dueAt: now,
    deadlineAt,
    attempts: 0,
    charged: 'no',
    message: p.boughtAt !== null ? ['bought_before'] : ['bought_elsewhere', p.dated],
  })
  return lookup
}
