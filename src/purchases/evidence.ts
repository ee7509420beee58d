import { setTimeout as pause } from 'node:timers/promises'
import { judgedAfterMs, listedAfterMs } from '../domain/advance.ts'
import { freshSinceOf } from '../domain/duration.ts'
import type { List, Purchase } from '../domain/judge.ts'
import { type Account, documentOf, type Lookup } from '../domain/lookup.ts'
import { suspicionOf } from '../domain/sweep.ts'
import type { Message } from '../messages/message.ts'
import type { Sql } from '../store/connect.ts'
import {
  buyersWaiting,
  completeAsOf,
  type ListSnapshot,
  latestListSnapshot,
  newestListSnapshotId,
} from '../store/purchases/list-snapshots.ts'
import { latestOfEach, mayFindOurs, unownedPurchases } from '../store/purchases/purchases.ts'
import { compareSize } from '../store/radars/radars.ts'
import type { LedgerTools } from './check-purchases.ts'
import { readAnalysisList, readLatestLicences } from './read-list.ts'

/** What the registry shows about calls whose answer was lost, for all the look-ups of a chunk. */
export type Evidence = {
  /** Unowned purchases by document. */
  purchases: ReadonlyMap<string, Purchase[]>
  /** Documents that are monitored. */
  radars: ReadonlySet<string>
  /** The list that decides. */
  list: List
  /** Whether the lists that were read before the calls were complete. */
  before: ReadonlyMap<bigint, boolean>
}

type Tools = Omit<LedgerTools, 'watch' | 'forKind' | 'log' | 'registry'> & {
  settings: Pick<LedgerTools, 'forKind'>
  registry: LedgerTools['registry'] & {
    radars: { list(account: Account, options?: { signal?: AbortSignal }): Promise<RadarList> }
  }
}

type CallOptions = { signal: AbortSignal }

export const gatherEvidence = async (
  tools: Tools,
  account: Account,
  lookups: readonly Lookup[],
  options: CallOptions,
): Promise<Evidence> => {
  const { kind } = lookups[0]!
  if (kind === 'radar') return listedRadars(tools, account, options)
  const lane = { organizationId: account.organizationId, kind }
  // Asked before the list is read: a look-up that leaves the queue meanwhile is known by then, or its call is under way.
  const buyers = await buyersWaiting(tools.sql, lane)
  const snapshot =
    kind === 'cnh'
      ? await readLicencesAnew(tools, account, lookups, options)
      : await readAnew(tools, account, lookups, options)
  const documents = lookups.map(({ question }) => question)
  const snapshotIds = new Set(lookups.flatMap(({ listSnapshotId }) => listSnapshotId ?? []))
  const { purchases } = tools.settings.forKind.analysis
  const willGrow =
    kind === 'analysis' &&
    (snapshot.awaitedAt !== null || buyers.wait || (await mayFindOurs(tools.sql, lane, undecidedBy(tools, snapshot))))
  return {
    purchases: await unownedPurchases(tools.sql, lane, documents),
    radars: new Set(),
    list: {
      ...snapshot,
      shows: purchases.shows,
      inOrder: purchases.inOrder,
      growsAt: willGrow ? new Date(snapshot.beganAt.getTime() + purchases.listLag) : null,
      isHeld: buyers.areHeld,
      deniesSome: kind === 'cnh' && (await deniesSome(tools, account, lookups, options)),
    },
    before: await completeAsOf(tools.sql, lane, [...snapshotIds]),
  }
}

/** A call with an unknown outcome that was sent, or refused, later than this is decided by a later list. */
const undecidedBy = ({ settings }: Tools, { beganAt }: ListSnapshot) => {
  const terms = settings.forKind.analysis
  const before = (ms: number): Date => new Date(beganAt.getTime() - ms)
  return { sentAfter: before(listedAfterMs(terms)), refusedAfter: before(terms.purchases.listLag) }
}

/** Reads all of them: a licence that could not be read does not prove that one is missing. */
const readLicencesAnew = async (
  tools: Tools,
  account: Account,
  lookups: readonly Lookup[],
  options: CallOptions,
): Promise<ListSnapshot> => {
  const { snapshot, failures } = await readLatestLicences(tools, account, lookups.map(documentOf), options)
  for (const failure of failures.values()) throw failure
  return snapshot
}

/**
 * Whether a request that found no licence, or has not found one yet, is denied, or an older one of its CPF shown instead.
 * The interface leaves this open, so the registry is asked for such requests of ours that are no younger than the calls
 * with an unknown outcome and still fresh. One with a licence is asked for too, as something in between may answer every
 * request with 404. (Interface 4.3)
 */
const deniesSome = async (
  { sql, registry, settings }: Tools,
  account: Account,
  lookups: readonly Lookup[],
  options: CallOptions,
): Promise<boolean> => {
  const lane = { organizationId: account.organizationId, kind: 'cnh' as const }
  const latest = new Date(Math.max(...lookups.map(({ sendingAt }) => sendingAt!.getTime())))
  const own = await latestOfEach(sql, lane, freshSinceOf(settings.forKind.cnh, latest), latest)
  const denials = own.map(async ({ document, remoteId, boughtAt }) => {
    const shown = await registry.cnh.latest({ type: 'CPF', number: document }, account, options)
    const isNewer = shown?.dated ? shown.dated.from > boughtAt : false
    return shown?.requestId !== remoteId && !isNewer
  })
  return (await Promise.all(denials)).includes(true)
}

/**
 * The list, read after each of these calls must have ended. If a list could not decide, or did not show the call, a new one
 * is needed: other calls may have been found since, and prove that the list is complete. A list that begins after this
 * question has a higher number, whatever the clocks say.
 */
const readAnew = async (
  tools: Tools,
  account: Account,
  lookups: readonly Lookup[],
  { signal }: CallOptions,
): Promise<ListSnapshot> => {
  const { sql, settings } = tools
  const { request, purchases } = settings.forKind.analysis
  const lane = { organizationId: account.organizationId, kind: 'analysis' as const }
  const newest = await newestListSnapshotId(sql, lane)
  const wantNew = lookups.some(({ unlistedAt, attempts }) => attempts > 0 || unlistedAt)
  const endedBy = Math.max(...lookups.map(({ sendingAt }) => sendingAt!.getTime())) + judgedAfterMs(request.timeout)
  for (;;) {
    const latest = await latestListSnapshot(sql, lane)
    if (latest && (latest.id > newest || (!wantNew && latest.beganAt.getTime() > endedBy))) return latest
    const reader = { ...tools, requestTimeoutMs: request.timeout, lagMs: purchases.listLag, shows: purchases.shows }
    const outcome = await readAnalysisList(reader, account, { signal })
    if (typeof outcome === 'object') throw outcome
    await pause(100, undefined, { signal })
  }
}

/** A list that lost many radars at once is rejected, as in a sweep: it does not prove that a radar is missing. */
const listedRadars = async (
  { sql, registry, clock }: Tools,
  account: Account,
  options: CallOptions,
): Promise<Evidence> => {
  const beganAt = clock()
  const list = await registry.radars.list(account, options)
  const complete = (await suspectRadarList(sql, account, list)) === null
  const radars = new Set(list.radars.map(({ document }) => document))
  const none = { oldestAt: null, youngestAt: null, requiredAt: null, awaitedAt: null, growsAt: null }
  return {
    purchases: new Map(),
    radars,
    list: {
      ...none,
      beganAt,
      complete,
      lacks: !complete,
      shows: null,
      inOrder: false,
      isHeld: false,
      deniesSome: false,
    },
    before: new Map(),
  }
}

type RadarList = { complete: boolean; radars: readonly { document: string }[] }

/** Why a list of radars is rejected, also considering the last sweep; null if it is accepted. */
export const suspectRadarList = async (
  sql: Sql,
  { organizationId }: { organizationId: number },
  { complete, radars }: RadarList,
): Promise<Message | null> => {
  const documents = [...new Set(radars.map(({ document }) => document))]
  const size = await compareSize(sql, organizationId, documents)
  return suspicionOf({ complete, listed: documents.length, ...size })
}
