import { listedAfterMs } from '../../../src/domain/advance.ts'
import type { Question } from '../registry/model-registry.ts'
import type { Purchase } from '../registry/purchase-list.ts'
import { Violation } from '../run/violation.ts'
import type { WatchContext } from '../run/witness.ts'
import { dayOf } from '../run/worker.ts'
import type { LookupRecord } from '../store/tables.ts'
import type { Actor } from '../time/schedule.ts'

const minuteMs = 60_000

/** Nothing is paid for twice, nothing without an intent, and no cap is passed. */
export const createMoneyWatch = ({ plan, historyOf, excuse, nameOf }: WatchContext) => {
  const ours: Purchase[] = []
  const counted: { purchase: Purchase; day: string; batchId: bigint }[] = []
  const droppedByPerson = new Set<string>()
  const erased = new Set<string>()
  const deceived = new Set<string>()
  let lostCommits = false

  const lookupOf = (purchase: Pick<Purchase, 'document' | 'kind' | 'organizationId'>): LookupRecord | undefined => {
    for (const l of historyOf().model.tables.lookups.values()) {
      if (!l.current || l.question !== purchase.document || l.kind !== purchase.kind) continue
      if (l.organizationId === purchase.organizationId) return l
    }
    return undefined
  }

  const intentOf = (lookup: LookupRecord | undefined): Date | null => {
    if (!lookup) return null
    const intent = historyOf().model.tables.intents.get(lookup.id)
    return intent?.sentAt ?? (lookup.state === 'sending' || lookup.state === 'unknown_outcome' ? lookup.sentAt : null)
  }

  /** The limit of docs/limits.md under which a document may be paid again; null: none explains it. */
  const excuseFor = (document: string): string | null => {
    const { page, total, pageOf } = plan.registry
    if (deceived.has(document)) return 'a list that hides just what is in question'
    if (droppedByPerson.has(document)) return 'a person dropped the call and asked again'
    const { purchases } = historyOf().registry
    if (erased.has(document) && purchases.some((p) => p.document === document && p.deletedAt !== null))
      return 'an erased person, of whose purchases one was deleted'
    if (plan.calls.some(({ fault }) => fault === 'token_charged')) return '401 to a paid call that was charged'
    if (page !== null && lostCommits) return 'a restored database and a page that hides what was bought since'
    if (page !== null && (total === 'page' || pageOf === 'analyses'))
      return 'a page that hides one and lies about its length'
    return null
  }

  /** Whether the first is too old, or a figure moved since for which a sweep buys anew. */
  const mayReplace = (before: Purchase, { at, document }: Purchase): boolean => {
    const { radars, settings } = plan
    if (!radars) return at - before.at >= settings.freshnessMs
    const { analysisOn, analysisEvery } = radars
    const ageMs = analysisOn === 'change' ? null : analysisEvery
    if (ageMs !== null && at - before.at >= ageMs - settings.requestTimeoutMs) return true
    if (analysisOn === 'age' || (analysisOn === 'both' && analysisEvery === null)) return false
    const [from, to] = [before.at, at].map((moment) => moment - historyOf().startedAt) as [number, number]
    return radars.events.some(
      (event) =>
        event.is === 'moves' && event.at > from && event.at <= to && nameOf(document) === String(event.document),
    )
  }

  const checkTwice = (purchase: Purchase): void => {
    const { document, kind, organizationId, at } = purchase
    const before = ours.find(
      (p) =>
        p.document === document &&
        p.kind === kind &&
        p.organizationId === organizationId &&
        p.deletedAt === null &&
        !mayReplace(p, purchase),
    )
    if (!before) return
    const excused = excuseFor(document)
    if (excused) {
      excuse(excused)
      return
    }
    const seconds = (at - before.at) / 1_000
    throw new Violation(
      'paid twice',
      `document ${nameOf(document)} was charged again ${seconds} s after its first charge`,
    )
  }

  const checkColleagues = ({ document, kind, organizationId, at }: Purchase): void => {
    const { page, dates } = plan.registry
    if (!plan.settings.adopt || page !== null || kind !== 'analysis' || dates.apartMs > 0) return
    const { registry, startedAt } = historyOf()
    const owned = registry
      .standing(document, kind, organizationId)
      .find((p) => !p.isOurs && p.at <= startedAt - minuteMs && at - p.at < plan.settings.freshnessMs / 2)
    if (!owned) return
    throw new Violation(
      'bought anyway',
      `document ${nameOf(document)} was charged though the organization had bought it`,
    )
  }

  /** Not deleted, and not hidden by a list in a way that a limit names. */
  const isShown = (p: Purchase): boolean => p.deletedAt === null && excuseFor(p.document) === null

  /** How many of these were not deleted or hidden before we knew of them: their units were given back. */
  const known = (charges: { purchase: Purchase }[]): number => {
    if (charges.every(({ purchase }) => isShown(purchase))) return charges.length
    const owned = new Set([...historyOf().model.tables.lookups.values()].map(({ remoteId }) => remoteId))
    return charges.filter(({ purchase }) => isShown(purchase) || owned.has(String(purchase.id))).length
  }

  const checkCaps = (purchase: Purchase): void => {
    const { model } = historyOf()
    const lookup = lookupOf(purchase)
    const sentAt = intentOf(lookup)
    if (!lookup || !sentAt || lostCommits) return
    // What the registry deleted or hid before we knew of it cannot be distinguished from what was never made.
    if (ours.some((p) => p.document === purchase.document && p.kind === purchase.kind && !isShown(p))) return
    const { perDay } = plan.settings
    const day = dayOf(sentAt)
    const { batchId } = lookup
    counted.push({ purchase, day, batchId })
    const today = perDay === null ? 0 : known(counted.filter((each) => each.day === day))
    if (perDay !== null && today > perDay) {
      throw new Violation('cap of the day', `${today} charges on ${day}; the budget is ${perDay}`)
    }
    const limit = model.tables.batches.get(batchId)?.maxSpend ?? null
    const charges = limit === null ? 0 : known(counted.filter((each) => each.batchId === batchId))
    if (limit !== null && charges > limit) {
      throw new Violation('cap of a file', `batch ${batchId} was charged ${charges} times; its limit is ${limit}`)
    }
  }

  const checkLedger = (): void => {
    const { tables } = historyOf().model
    for (const b of tables.batches.values()) {
      if (b.spent < 0 || (b.maxSpend !== null && b.spent > b.maxSpend)) {
        throw new Violation('cap of a file', `batch ${b.id} has reserved ${b.spent} of ${b.maxSpend}`)
      }
    }
    const { perDay } = plan.settings
    for (const [day, units] of tables.days) {
      if (perDay !== null && units > perDay)
        throw new Violation('cap of the day', `${units} of ${perDay} reserved on ${day}`)
    }
  }

  const isHiddenLicence = ({ kind, document, organizationId, at }: Purchase): boolean =>
    kind === 'cnh' &&
    historyOf()
      .registry.standing(document, kind, organizationId)
      .some((p) => !p.isOurs && p.at > at)

  /** Whether a row has the purchase of a colleague that no list could show before our call. */
  const isTakenFor = ({ kind, document, organizationId, at }: Purchase, owned: ReadonlySet<string | null>): boolean => {
    const { requestTimeoutMs, listLagMs } = plan.settings
    const since = at - listedAfterMs({ request: { timeout: requestTimeoutMs }, purchases: { listLag: listLagMs } })
    const standing = historyOf().registry.standing(document, kind, organizationId)
    return standing.some((p) => !p.isOurs && p.at > since && owned.has(String(p.id)))
  }

  /** What was bought belongs to a row, or a row is parked for it: it is never dropped in silence. */
  const checkKept = (): void => {
    const { model } = historyOf()
    const owned = new Set([...model.tables.lookups.values()].map(({ remoteId }) => remoteId))
    for (const p of ours) {
      if (p.deletedAt !== null || owned.has(String(p.id)) || excuseFor(p.document) || lostCommits) continue
      const lookup = lookupOf(p)
      if (!lookup || lookup.charged === 'unknown' || lookup.state === 'unknown_outcome') continue
      if (isHiddenLicence(p)) {
        excuse('a colleague has bought the licence since, and only the latest is shown')
        continue
      }
      if (isTakenFor(p, owned)) {
        excuse('a colleague bought it while the outcome of our call was unknown, and the row has that one')
        continue
      }
      throw new Violation(
        'thrown away',
        `purchase ${p.id} of document ${nameOf(p.document)} belongs to no row (${lookup.state})`,
      )
    }
  }

  return {
    sent(_worker: Actor, { body }: Question): void {
      const document = String(body?.documentNumber ?? body?.document)
      const kind = body?.planId === undefined ? 'cnh' : 'analysis'
      const lookup = lookupOf({ document, kind, organizationId: Number(body?.organizationId) })
      if (!intentOf(lookup) && !lostCommits) {
        throw new Violation(
          'intent first',
          `a paid call for document ${nameOf(document)} leaves without an intent on record`,
        )
      }
    },
    /** A list that hides nothing that we know to be ours is like an honest one. */
    hid(hidden: readonly Purchase[]): void {
      if (plan.registry.figures !== 'boast') return
      const owned = new Set([...historyOf().model.tables.lookups.values()].map(({ remoteId }) => remoteId))
      if (hidden.some(({ id }) => owned.has(String(id)))) return
      for (const { document } of hidden) deceived.add(document)
    },
    charged(purchase: Purchase): void {
      checkTwice(purchase)
      checkColleagues(purchase)
      checkCaps(purchase)
      ours.push(purchase)
    },
    look: checkLedger,
    rewound(_to: number): void {
      lostCommits = true
    },
    erased: (document: string) => void erased.add(document),
    dropped: (document: string) => void droppedByPerson.add(document),
    charges: () => ours.length,
    end: checkKept,
  }
}
