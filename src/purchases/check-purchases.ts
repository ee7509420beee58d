import { setTimeout as pause } from 'node:timers/promises'
import { listsApartMs } from '../domain/advance.ts'
import { CallFailure, type HoldCause } from '../domain/call-failure.ts'
import { freshSinceOf } from '../domain/duration.ts'
import { refusedAlike } from '../domain/hold-ends.ts'
import type { ListStatement } from '../domain/judge.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import { type Account, documentOf, type Lookup } from '../domain/lookup.ts'
import type { Message } from '../messages/message.ts'
import { putOffUnsent } from '../store/lookups/claims.ts'
import { adoptBought } from '../store/purchases/adopt-bought.ts'
import { firstListSince, latestListSnapshot, latestProblem, wasReadFor } from '../store/purchases/list-snapshots.ts'
import { type LicenceReader, type ListReader, readAnalysisList, readLatestLicences, Unreadable } from './read-list.ts'
import type { ServerWatch } from './watch-server.ts'

type PaidTerms = {
  request: { timeout: number }
  polling: { first: number; deadline: number }
  freshness: number
  purchases: { adopt: boolean; maxAge: number; listLag: number; shows: ListStatement; inOrder: boolean }
}

export type LedgerTools = Pick<ListReader, 'sql'> & {
  registry: ListReader['registry'] & LicenceReader['registry']
  clock: () => Date
  forKind: Record<Kind, PaidTerms>
  watch: ServerWatch
  log: { warn(facts: object, phrase: string): void }
}

/** What may be bought now. */
export type Clearance = {
  toBuy: Lookup[]
  /** The server on which the intent may be recorded. */
  server: string
  /** False once the purchase ledger that it rests on is out of date. */
  holds(): boolean
}

/** Why nothing of a lane may be bought. */
export type Obstacle = { cause: HoldCause; reason: Message; retryAfterMs?: number | undefined }

/** Returns an obstacle if the purchases could not be read, and null if the signal fired before anything may be bought. */
export type PurchaseCheck = (
  account: Account,
  kind: Kind,
  lookups: readonly Lookup[],
  signal: AbortSignal,
) => Promise<Clearance | Obstacle | null>

/**
 * Before anything is bought: reads the registry's list, and lets look-ups adopt what their organization owns already.
 *
 * A list that was read serves for some minutes. If it cannot be read, look-ups without an earlier list wait. All
 * look-ups wait if the database may have lost purchases, because then the list is the only record of them.
 */
export const createPurchaseCheck =
  (keeping: LedgerTools): PurchaseCheck =>
  async (account, kind, lookups, signal) => {
    const { watch } = keeping
    await watch.verify()
    const paid = spendingKinds.includes(kind)
    const server = paid ? await waitForLedger(keeping, account, kind, lookups, signal) : watch.current()
    if (!server) return null
    if (server instanceof CallFailure) return obstacleOf(server)
    const unseen = kind === 'cnh' ? await putOffUnseen(keeping, account, lookups, server.forgot, signal) : []
    if (signal.aborted) return null
    if (!Array.isArray(unseen)) return unseen
    const gone = new Set([...unseen, ...(paid ? await adopt(keeping, kind, lookups) : [])])
    const holds = () => watch.current().start === server.start && watch.current().listReadAfter <= server.listReadAfter
    return { toBuy: lookups.filter(({ id }) => !gone.has(id)), server: server.start, holds }
  }

/** A failure that holds more than the list holds the lane for its own cause; otherwise only the list is unavailable. */
const obstacleOf = ({ holds, reason: message, retryAfterMs }: CallFailure): Obstacle =>
  holds && holds !== 'outage'
    ? { cause: holds, reason: message, retryAfterMs }
    : { cause: 'list', reason: ['list_unread', message], retryAfterMs }

/** Updates the purchase ledger for a lane that is about to be quoted or bought for, if that is possible now. */
export const refreshLedger = async (
  keeping: Omit<LedgerTools, 'watch' | 'log'>,
  account: Account,
  kind: Kind,
  signal?: AbortSignal,
): Promise<'read' | 'busy' | CallFailure> => {
  if (kind !== 'analysis' || (await isUpToDate(keeping, account, new Date(0)))) return 'read'
  return readNow(keeping, account, { signal, againAfterMs: 5_000 })
}

/** What the database has lost is adopted whatever the settings say, because it looks the same as what was bought elsewhere. */
const adopt = ({ sql, clock, forKind }: LedgerTools, kind: Kind, lookups: readonly Lookup[]): Promise<bigint[]> => {
  const terms = forKind[kind]
  if (lookups.length === 0) return Promise.resolve([])
  const now = clock()
  const freshSince = freshSinceOf(terms, now)
  const deadlineAt = new Date(now.getTime() + terms.polling.deadline)
  const ids = lookups.map(({ id }) => id)
  const of = terms.purchases.adopt ? 'any' : 'forgotten'
  return sql.begin((tx) => adoptBought(tx, { ids }, { of, freshSince, deadlineAt, now }))
}

/**
 * Waits until the purchase ledger allows spending and returns the server; null if the signal fires first.
 *
 * If a list was read for these look-ups and nothing was lost, nobody waits longer for another list than for any other
 * answer. Nobody ever waits longer than that for another worker to read it.
 */
const waitForLedger = async (
  keeping: LedgerTools,
  account: Account,
  kind: Kind,
  lookups: readonly Lookup[],
  signal: AbortSignal,
): Promise<ReturnType<ServerWatch['current']> | CallFailure | null> => {
  const { watch, clock } = keeping
  const timeout = AbortSignal.timeout(keeping.forKind[kind].request.timeout + graceMs)
  for (let failures = 0; !signal.aborted; ) {
    const server = watch.current()
    const { listReadAfter, forgot } = server
    const countsFrom = kind === 'cnh' ? listReadAfter : await listsCountFrom(keeping, account, server)
    const early = (countsFrom ?? listReadAfter).getTime() - clock().getTime()
    if (countsFrom && early <= 0 && (kind === 'cnh' || (await isUpToDate(keeping, account, countsFrom)))) return server
    // After a loss, a list of before it is none.
    const must = forgot || countsFrom !== listReadAfter || (await needList(keeping, account, lookups))
    const within = must ? signal : AbortSignal.any([signal, timeout])
    const terms = { signal: within, forgot, againAfterMs: must ? 5_000 : 60_000 }
    const outcome = early > 0 ? 'early' : await readNow(keeping, account, terms)
    if (outcome === 'read' && countsFrom) return server
    const isFailure = typeof outcome === 'object'
    if (!forgot && !signal.aborted && (isFailure || timeout.aborted)) {
      return must ? (isFailure ? outcome : new Unreadable(['list_busy'])) : server
    }
    if (isFailure) {
      failures++
      keeping.log.warn({ reason: outcome.message }, 'waiting for the list of purchases before anything is bought')
    }
    const wait = isFailure ? Math.min(30_000, 500 * 2 ** Math.min(failures, 6)) : Math.max(100, Math.min(early, 500))
    await pause(wait, undefined, { signal }).catch(() => {})
  }
  return null
}

const graceMs = 5_000

/**
 * Since when a list must have been read. After a loss the list is the only record of what was bought, and one may lack a
 * purchase for a moment: as for a call whose answer was lost, two decide. Null: the first of them was not read yet.
 */
const listsCountFrom = async (
  { sql, forKind }: LedgerTools,
  { organizationId }: Account,
  { listReadAfter, lossUntil }: ReturnType<ServerWatch['current']>,
): Promise<Date | null> => {
  if (!lossUntil) return listReadAfter
  const first = await firstListSince(sql, { organizationId, kind: 'analysis' }, lossUntil)
  const second = first && new Date(first.getTime() + listsApartMs(forKind.analysis.request.timeout))
  return second && second < listReadAfter ? listReadAfter : second
}

/** Whether these look-ups would adopt what was bought elsewhere and no list was read for them yet. */
const needList = async (
  { sql, forKind }: LedgerTools,
  { organizationId }: Account,
  lookups: readonly Lookup[],
): Promise<boolean> => {
  const { adopt, maxAge } = forKind.analysis.purchases
  if (!adopt) return false
  const ids = lookups.map(({ id }) => id)
  return !(await wasReadFor(sql, { organizationId, kind: 'analysis' }, ids, maxAge))
}

/**
 * Reads the latest licence of each document, one by one, and takes as long as that takes. A look-up whose licence could not
 * be read is postponed by itself, unless all of them fail alike. What the registry says about the document itself is no
 * reason to postpone: it will say the same again.
 */
const putOffUnseen = async (
  keeping: LedgerTools,
  account: Account,
  lookups: readonly Lookup[],
  forgot: boolean,
  signal: AbortSignal,
): Promise<bigint[] | Obstacle> => {
  const { sql, clock, log, forKind } = keeping
  const { failures } = await readLatestLicences(keeping, account, lookups.map(documentOf), { signal })
  if (failures.size === 0 || signal.aborted || !(forgot || forKind.cnh.purchases.adopt)) return []
  // If one is denied while others are answered, the denial concerns that one only.
  const areAllDenied = failures.size === lookups.length && failures.size >= refusedAlike
  for (const { holds, reason, retryAfterMs } of failures.values()) {
    if (holds && (holds !== 'denied' || areAllDenied)) return { cause: holds, reason, retryAfterMs }
  }
  const unseen = lookups.flatMap(({ id, question }) => {
    const failure = failures.get(question)
    return failure && !failure.finalState ? [{ id, reason: ['list_unread', failure.reason] as Message }] : []
  })
  await putOffUnsent(sql, unseen, forKind.cnh.polling.first, clock())
  log.warn({ lookups: unseen.length }, 'could not read the latest licences: none is requested for these documents')
  return unseen.map(({ id }) => id)
}

/** A list that is dated further ahead was read before the database's clock stepped back, however long ago. */
const aheadMs = 1_000

/** Whether the list was read since a moment and since the registry last contradicted it, and not too long ago. */
const isUpToDate = async (
  { sql, clock, forKind }: Omit<LedgerTools, 'watch' | 'log'>,
  { organizationId }: Account,
  since: Date,
): Promise<boolean> => {
  const latest = await latestListSnapshot(sql, { organizationId, kind: 'analysis' })
  const oldest = Math.max(since.getTime(), clock().getTime() - forKind.analysis.purchases.maxAge)
  if (latest === null || latest.beganAt.getTime() < oldest) return false
  return latest.beganAt.getTime() <= clock().getTime() + aheadMs && !latest.isContradicted
}

/** Reads the list, unless that failed a short time ago, so that not each chunk tries it again. */
const readNow = async (
  keeping: Omit<LedgerTools, 'watch' | 'log'>,
  account: Account,
  { againAfterMs, ...options }: { signal?: AbortSignal; forgot?: boolean; againAfterMs: number },
): Promise<'read' | 'busy' | CallFailure> => {
  const { purchases, request } = keeping.forKind.analysis
  const last = await latestProblem(keeping.sql, { organizationId: account.organizationId, kind: 'analysis' })
  if (last && last.endedAt.getTime() > keeping.clock().getTime() - againAfterMs) return new Unreadable(last.problem)
  const reader = { ...keeping, requestTimeoutMs: request.timeout, lagMs: purchases.listLag, shows: purchases.shows }
  return readAnalysisList(reader, account, options)
}
