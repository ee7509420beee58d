import { setTimeout as pause } from 'node:timers/promises'
import { CallFailure } from '../domain/call-failure.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { Account } from '../domain/lookup.ts'
import { documentOf, type Lookup } from '../domain/lookup.ts'
import { adoptBought } from '../store/purchases/purchases.ts'
import { latestProblem, latestReading, wasReadFor } from '../store/purchases/readings.ts'
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
  /** Those of which nobody could see whether they are owned already, by their number, and why. */
  unseen: ReadonlyMap<bigint, CallFailure>
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
 * The list is read once for some minutes. One that cannot be read stops whom none was read for yet, and everyone where the
 * database may have forgotten what was bought: then the list is the only memory there is, and paid lanes wait for it.
 */
export const createLookFirst =
  (keeping: Bookkeeping): LookFirst =>
  async (account, kind, lookups, signal) => {
    const { watch } = keeping
    await watch.verify()
    const paid = spendingKinds.includes(kind)
    const books = paid ? await waitForBooks(keeping, account, kind, lookups, signal) : asTheyAre(watch)
    if (!books) return null
    const { server, unseen } = books
    const holds = () => watch.current().start === server.start && watch.current().booksSince <= server.booksSince
    const adopted = new Set(paid ? await adopt(keeping, kind, lookups) : [])
    const stillUnseen = new Map([...unseen].filter(([id]) => !adopted.has(id)))
    const toBuy = lookups.filter(({ id }) => !adopted.has(id) && !unseen.has(id))
    return { toBuy, unseen: stillUnseen, server: server.start, holds }
  }

/** Brings the books up to date for a lane that is about to be quoted or bought for, where that can be done now. */
export const refreshBooks = async (
  keeping: Omit<Bookkeeping, 'watch' | 'log'>,
  account: Account,
  kind: Kind,
  signal?: AbortSignal,
): Promise<'read' | 'busy' | CallFailure> => {
  if (kind !== 'analysis' || (await isUpToDate(keeping, account, new Date(0)))) return 'read'
  return readNow(keeping, account, { signal, againAfterMs: 5_000 })
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

/** The server that may be spent with, and the look-ups that its books say nothing of. */
type Books = { server: ReturnType<ServerWatch['current']>; unseen: ReadonlyMap<bigint, CallFailure> }

const asTheyAre = (watch: ServerWatch): Books => ({ server: watch.current(), unseen: new Map() })

/**
 * The books, once they may be spent by; null when the signal fires first.
 *
 * Where a list was read for these look-ups and nothing was forgotten, nobody waits longer for another than for any other
 * answer. The licences of a chunk are asked for one by one, and take as long as they take.
 */
const waitForBooks = async (
  keeping: Bookkeeping,
  account: Account,
  kind: Kind,
  lookups: readonly Lookup[],
  signal: AbortSignal,
): Promise<Books | null> => {
  const { watch, clock } = keeping
  const patience = AbortSignal.timeout(keeping.forKind[kind].request.timeout + graceMs)
  for (let failures = 0; !signal.aborted; ) {
    const server = watch.current()
    const { booksSince, forgot } = server
    const early = booksSince.getTime() - clock().getTime()
    if (early > 0) {
      await pause(Math.max(100, Math.min(early, 500)), undefined, { signal }).catch(() => {})
      continue
    }
    if (kind === 'cnh') {
      const unseen = await lookForLicences(keeping, account, lookups, forgot, signal)
      return signal.aborted ? null : { server, unseen }
    }
    if (await isUpToDate(keeping, account, booksSince)) return { server, unseen: new Map() }
    const must = forgot || (await needList(keeping, account, lookups))
    const within = must ? signal : AbortSignal.any([signal, patience])
    const outcome = await readNow(keeping, account, { signal: within, againAfterMs: must ? 5_000 : 60_000 })
    if (signal.aborted) return null
    if (outcome === 'read' || (!must && patience.aborted)) return { server, unseen: new Map() }
    if (typeof outcome === 'object' && !forgot) return { server, unseen: must ? ofAll(lookups, outcome) : new Map() }
    if (typeof outcome === 'object') {
      failures++
      keeping.log.warn({ reason: outcome.message }, 'the list of the registry must be read first')
    }
    const wait = typeof outcome === 'object' ? Math.min(30_000, 500 * 2 ** Math.min(failures, 6)) : 100
    await pause(wait, undefined, { signal }).catch(() => {})
  }
  return null
}

const graceMs = 5_000

const ofAll = (lookups: readonly Lookup[], failure: CallFailure): Map<bigint, CallFailure> =>
  new Map(lookups.map(({ id }) => [id, failure]))

/** Whether nobody has looked yet what these look-ups' organization bought elsewhere, and would take it. */
const needList = async (
  { sql, forKind }: Bookkeeping,
  { organizationId }: Account,
  lookups: readonly Lookup[],
): Promise<boolean> => {
  const { adopt, maxAge } = forKind.analysis.purchases
  if (!adopt) return false
  const ids = lookups.map(({ id }) => id)
  return !(await wasReadFor(sql, { organizationId, kind: 'analysis' }, ids, maxAge))
}

/** Looks at the latest licence of each document. What the registry says of the document itself, it will say again. */
const lookForLicences = async (
  keeping: Bookkeeping,
  account: Account,
  lookups: readonly Lookup[],
  forgot: boolean,
  signal: AbortSignal,
): Promise<Map<bigint, CallFailure>> => {
  const { failures } = await readLatestLicences(keeping, account, lookups.map(documentOf), { signal })
  if (!forgot && !keeping.forKind.cnh.purchases.adopt) return new Map()
  const failed = lookups.flatMap(({ id, question }): [bigint, CallFailure][] => {
    const failure = failures.get(question)
    return failure && !failure.finalState ? [[id, failure]] : []
  })
  return new Map(failed)
}

/** Whether the list was read since a moment, and not too long ago. */
const isUpToDate = async (
  { sql, clock, forKind }: Omit<Bookkeeping, 'watch' | 'log'>,
  { organizationId }: Account,
  since: Date,
): Promise<boolean> => {
  const latest = await latestReading(sql, { organizationId, kind: 'analysis' })
  const oldest = Math.max(since.getTime(), clock().getTime() - forKind.analysis.purchases.maxAge)
  return latest !== null && latest.beganAt.getTime() >= oldest
}

/** Reads the list, unless that failed so short a time ago: it is not asked for again by each chunk. */
const readNow = async (
  keeping: Omit<Bookkeeping, 'watch' | 'log'>,
  account: Account,
  { signal, againAfterMs }: { signal?: AbortSignal; againAfterMs: number },
): Promise<'read' | 'busy' | CallFailure> => {
  const { purchases, request } = keeping.forKind.analysis
  const last = await latestProblem(keeping.sql, { organizationId: account.organizationId, kind: 'analysis' })
  if (last && last.endedAt.getTime() > keeping.clock().getTime() - againAfterMs) return new Unreadable(last.problem)
  const reader = { ...keeping, requestTimeoutMs: request.timeout, lagMs: purchases.listLag }
  return readAnalysisList(reader, account, { signal })
}

class Unreadable extends CallFailure {
  override readonly name = 'Unreadable'
  readonly retryable = true
  readonly outcome = 'not_sent'
}
