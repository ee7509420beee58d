import type { Account } from '../src/domain/account.ts'
import { absent, adopted, type Ending, undecided } from '../src/domain/ending.ts'
import { intentKinds } from '../src/domain/kind.ts'
import { documentOf, type Lookup } from '../src/domain/lookup.ts'
import { judgePurchase, type Purchase } from '../src/domain/purchase.ts'
import type { Turn } from '../src/queue/lookup-job.ts'
import type { Registry } from '../src/registry/registry.ts'
import { ownedRemotes } from '../src/store/lookups.ts'
import { lookupJob } from './tools.ts'

/** What the registry's own list says, read once for all the look-ups of a chunk. */
type Evidence = { complete: boolean; purchases: Map<string, Purchase[]> }

/**
 * Finds out what became of calls whose answer was lost.
 *
 * They are judged only after their own deadline, so nothing can still be on its way. A purchase that the
 * registry lists, made since the intent and owned by no other look-up, is adopted. What a complete list
 * does not show, twice, is sent again. Anything else is parked for a person.
 */
export const reconcileSendings = lookupJob<Evidence>({
  name: 'reconcile-sendings',
  kinds: intentKinds,
  takes: ['sending'],
  retries: 1_000_000,

  async prepare(lookups, { registry, account, call, sql }) {
    const evidence = await readEvidence(lookups, registry, account, call)
    const kind = lookups[0]!.kind
    const ids = [...evidence.purchases.values()].flat().map(({ remote }) => remote.id)
    const owned = await ownedRemotes(sql, kind, ids)
    for (const [document, purchases] of evidence.purchases) {
      evidence.purchases.set(
        document,
        purchases.filter(({ remote }) => !owned.has(remote.id)),
      )
    }
    return evidence
  },

  async each(lookup, _tools, { complete, purchases }): Promise<Ending> {
    if (lookup.kind === 'radar') return purchases.has(lookup.question) ? adopted(null, 'listed') : absentIf(complete)
    const verdict = judgePurchase(purchases.get(lookup.question) ?? [], lookup.sendingAt!)
    if (verdict.is === 'ours') return adopted(verdict.remote, verdict.seen)
    if (verdict.is === 'unclear') return undecided(verdict.reason)
    return absentIf(complete)
  },
})

const absentIf = (complete: boolean): Ending =>
  complete ? absent() : undecided('the answer was lost, and the registry’s list is not complete')

const readEvidence = (
  lookups: Lookup[],
  registry: Registry,
  account: Account,
  call: Turn['call'],
): Promise<Evidence> => {
  const kind = lookups[0]!.kind
  if (kind === 'analysis') return listedAnalyses(registry, account, call)
  if (kind === 'radar') return listedRadars(registry, account, call)
  return latestLicences(lookups, registry, account, call)
}

const listedAnalyses = async (registry: Registry, account: Account, call: Turn['call']): Promise<Evidence> => {
  const { complete, analyses } = await registry.activities.list(account, call)
  const purchases = analyses.map(({ id, uniqueId, document, createdAt, status }) => ({
    document,
    remote: { id, key: uniqueId },
    createdAt,
    seen: status,
  }))
  return { complete, purchases: Map.groupBy(purchases, ({ document }) => document) }
}

const listedRadars = async (registry: Registry, account: Account, call: Turn['call']): Promise<Evidence> => {
  const { complete, radars } = await registry.radars.list(account, call)
  return { complete, purchases: new Map(radars.map(({ document }) => [document, []])) }
}

/** CNH has no list, but a latest record per CPF; a 404 proves that there is none. */
const latestLicences = async (
  lookups: Lookup[],
  registry: Registry,
  account: Account,
  call: Turn['call'],
): Promise<Evidence> => {
  const found = await Promise.all(
    lookups.map(async (lookup): Promise<[string, Purchase[]]> => {
      const record = await registry.cnh.latest(documentOf(lookup), account, call)
      const remote = record && { id: record.requestId, key: null }
      return [lookup.question, remote ? [{ remote, createdAt: record.createdAt, seen: record.status }] : []]
    }),
  )
  return { complete: true, purchases: new Map(found) }
}
