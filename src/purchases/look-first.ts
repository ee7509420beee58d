import { setTimeout as pause } from 'node:timers/promises'
import { CallFailure, callFailureOf } from '../domain/call-failure.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { Account } from '../domain/lookup.ts'
import { documentOf, type Lookup } from '../domain/lookup.ts'
import { adoptBought } from '../store/purchases/purchases.ts'
import { latestProblem, latestReading } from '../store/purchases/readings.ts'
import { type LicenceReader, readLatestLicences } from './read-licences.ts'
import { type ListReader, readAnalysisList } from './read-list.ts'
import type { ServerWatch } from './watch-server.ts'

type PaidTerms = {
  request: { timeout: number }
  polling: { deadline: number }
  freshness: number
  purchases: { adopt: boolean; maxAge: number; listLag: number }
}

export type Bookkeeping = Pick<ListReader, 'sql'> & {
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
  /** False once the books that it rests on are no longer enough. */
  holds(): boolean
}

/** Null where the signal fired before anything may be bought. */
export type LookFirst = (
  account: Account,
  kind: Kind,
  lookups: readonly Lookup[],
  signal: AbortSignal,
) => Promise<Clearance | null>

/**
 * Before anything is bought: looks into the registry's list, and lets look-ups have what their organization owns already.
 *
 * The list is read once for some minutes. One that cannot be read stops nobody, unless the database may have forgotten
 * what was bought: then the list is the only memory there is, and paid lanes wait for it.
 */
export const createLookFirst =
  (keeping: Bookkeeping): LookFirst =>
  async (account, kind, lookups, signal) => {
    const { watch } = keeping
    await watch.verify()
    const paid = spendingKinds.includes(kind)
    const cleared = paid ? await waitForBooks(keeping, account, kind, lookups, signal) : watch.current()
    if (!cleared) return null
    const holds = () => watch.current().start === cleared.start && watch.current().booksSince <= cleared.booksSince
    const adopted = new Set(paid ? await adopt(keeping, kind, lookups) : [])
    return { toBuy: lookups.filter(({ id }) => !adopted.has(id)), server: cleared.start, holds }
  }

/** Brings the books up to date for a lane that is about to be quoted or bought for, where that can be done now. */
export const refreshBooks = async (
  keeping: Omit<Bookkeeping, 'watch' | 'log'>,
  account: Account,
  kind: Kind,
  signal?: AbortSignal,
): Promise<'read' | 'busy' | CallFailure> => {
  if (kind !== 'analysis') return 'read'
  return bringUpToDate(keeping, account, kind, { since: new Date(0), lookups: [], signal, againAfterMs: 5_000 })
}

/** What the database has forgotten is taken whatever the settings say: nothing tells it from what was bought elsewhere. */
const adopt = ({ sql, clock, forKind }: Bookkeeping, kind: Kind, lookups: readonly Lookup[]): Promise<bigint[]> => {
  const { purchases, freshness, polling } = forKind[kind]
  if (lookups.length === 0) return Promise.resolve([])
  const now = clock()
  const freshSince = new Date(now.getTime() - freshness)
  const deadlineAt = new Date(now.getTime() + polling.deadline)
  const ids = lookups.map(({ id }) => id)
  const of = purchases.adopt ? 'any' : 'forgotten'
  return sql.begin((tx) => adoptBought(tx, { ids }, { of, freshSince, deadlineAt, now }))
}

/**
 * The server that may be spent with, once its books may be; null when the signal fires first.
 *
 * Where nothing was forgotten, nobody waits longer for a list than for any other answer. The licences of a chunk are
 * asked for one by one, and take as long as they take.
 */
const waitForBooks = async (
  keeping: Bookkeeping,
  account: Account,
  kind: Kind,
  lookups: readonly Lookup[],
  signal: AbortSignal,
): Promise<ReturnType<ServerWatch['current']> | null> => {
  const patience = AbortSignal.timeout(keeping.forKind[kind].request.timeout + graceMs)
  for (let failures = 0; !signal.aborted; ) {
    const server = keeping.watch.current()
    const { booksSince, forgot } = server
    const early = booksSince.getTime() - keeping.clock().getTime()
    const within = forgot || kind === 'cnh' ? signal : AbortSignal.any([signal, patience])
    const need = { since: booksSince, lookups, signal: within, againAfterMs: forgot ? 5_000 : 60_000 }
    const outcome = early > 0 ? 'early' : await bringUpToDate(keeping, account, kind, need)
    if (outcome === 'read') return server
    const isFailure = typeof outcome === 'object'
    if (!forgot && (isFailure || patience.aborted)) return server
    if (isFailure) {
      failures++
      keeping.log.warn({ reason: outcome.message }, 'the list of the registry must be read first')
    }
    const wait = isFailure ? Math.min(30_000, 500 * 2 ** Math.min(failures, 6)) : Math.max(100, Math.min(early, 500))
    await pause(wait, undefined, { signal }).catch(() => {})
  }
  return null
}

const graceMs = 5_000

type Need = {
  since: Date
  lookups: readonly Lookup[]
  signal?: AbortSignal
  /** A list that could not be read just now is not asked for again by each chunk. */
  againAfterMs: number
}

const bringUpToDate = async (
  keeping: Omit<Bookkeeping, 'watch' | 'log'>,
  account: Account,
  kind: Kind,
  { since, lookups, signal, againAfterMs }: Need,
): Promise<'read' | 'busy' | CallFailure> => {
  if (kind === 'cnh') {
    const documents = lookups.map(documentOf)
    return readLatestLicences(keeping, account, documents, { signal }).then(() => 'read' as const, callFailureOf)
  }
  const { purchases, request } = keeping.forKind[kind]
  const lane = { organizationId: account.organizationId, kind }
  const latest = await latestReading(keeping.sql, lane)
  const newest = new Date(Math.max(since.getTime(), keeping.clock().getTime() - purchases.maxAge))
  if (latest && latest.beganAt >= newest) return 'read'
  const last = await latestProblem(keeping.sql, lane)
  if (last && last.endedAt.getTime() > keeping.clock().getTime() - againAfterMs) return new Unreadable(last.problem)
  const reader = { ...keeping, requestTimeoutMs: request.timeout, lagMs: purchases.listLag }
  return readAnalysisList(reader, account, { signal })
}

class Unreadable extends CallFailure {
  override readonly name = 'Unreadable'
  readonly retryable = true
  readonly outcome = 'not_sent'
}
