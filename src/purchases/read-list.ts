import { judgedAfterMs } from '../domain/advance.ts'
import { CallFailure, callFailureOf, type HoldCause } from '../domain/call-failure.ts'
import type { Document } from '../domain/document.ts'
import { countsAll, declaresAll, type ListFigures, type ListStatement } from '../domain/judge.ts'
import type { Account } from '../domain/lookup.ts'
import { parseSpan, provesDayFirst } from '../domain/moment.ts'
import type { Database } from '../store/connect.ts'
import {
  beginListRead,
  endListRead,
  failListRead,
  insertListSnapshot,
  type ListSnapshot,
  lockListRead,
} from '../store/purchases/list-snapshots.ts'
import {
  hasPurchases,
  isKnownDayFirst,
  type LedgerEntry,
  ownPurchases,
  type PaidLane,
  recordPurchases,
} from '../store/purchases/purchases.ts'

type ListedAnalysis = Omit<LedgerEntry, 'key'> & { uniqueId: string }
type CallOptions = { signal?: AbortSignal }

/** `forgot`: the database may have lost purchases, so that only a real list shows that there are none. */
type ReadOptions = CallOptions & { forgot?: boolean }

/** The registry's list of analyses, processed as it arrives. (Interface 4.6) */
type AnalysisList = {
  read(
    account: Account,
    open: () => (activities: { analyses: ListedAnalysis[] }[]) => undefined | Promise<void>,
    options?: CallOptions,
  ): Promise<ListFigures>
}

export type ListReader = {
  sql: Database
  registry: { activities: AnalysisList }
  /** How long a call may take, how far the list may lag behind what was bought, and what it shows. */
  requestTimeoutMs: number
  lagMs: number
  shows: ListStatement
}

/** `read`: the ledger is up to date. `busy`: another process reads the list. A failure says why it was not read. */
type ReadOutcome = 'read' | 'busy' | CallFailure

/**
 * Reads the registry's list of analyses into the purchase ledger, page by page and in flat memory.
 *
 * It is complete if it names a limit that it did not reach, or if the settings say that it shows everything, and it shows
 * every purchase that we know to be ours. One that is missing proves that the list leaves some out, whatever it says. So
 * does a number that has two documents, because it belongs to two purchases. Only purchases that may not be listed yet are
 * excused. A list that shows others' purchases and none of ours proves nothing either. Something other than a list counts
 * as an empty list if nothing was ever bought, and as incomplete if something may have been.
 */
export const readAnalysisList = async (
  reader: ListReader,
  account: Account,
  options: ReadOptions = {},
): Promise<ReadOutcome> => {
  const { sql } = reader
  const lane: PaidLane = { organizationId: account.organizationId, kind: 'analysis' }
  const others = underWay.get(sql) ?? 0
  if (others >= mostAtOnce) return 'busy'
  underWay.set(sql, others + 1)
  try {
    return await sql.begin(async (tx): Promise<ReadOutcome> => {
      if (!(await lockListRead(tx, lane))) return 'busy'
      return readLocked(reader, account, lane, options)
    })
  } finally {
    underWay.set(sql, underWay.get(sql)! - 1)
  }
}

/**
 * Reading a list takes a lock on one connection and writes on another. With a connection for every organization, readers
 * could take all of a small pool and wait for each other; two leave enough in the smallest pool that may be set.
 */
const mostAtOnce = 2
const underWay = new WeakMap<Database, number>()

const readLocked = async (
  reader: ListReader,
  account: Account,
  lane: PaidLane,
  { forgot = false, ...options }: ReadOptions,
): Promise<ReadOutcome> => {
  const { sql, registry } = reader
  const { id, beganAt } = await beginListRead(sql, lane)
  let listed: Listed = new Map()
  let agrees = true
  let isDayFirst = await isKnownDayFirst(sql, lane)
  const open = () => {
    listed = new Map()
    agrees = true
    return pageByPage(async (page) => {
      isDayFirst ||= page.some(({ dated }) => provesDayFirst(dated))
      const purchases = isDayFirst ? page.map(readDayFirst) : page
      for (const { id, document, datedTo } of purchases) {
        agrees &&= (listed.get(id)?.document ?? document) === document
        listed.set(id, { document, datedTo: datedTo?.getTime() ?? null })
      }
      agrees = (await recordPurchases(sql, lane, id, purchases)) && agrees
    })
  }
  try {
    const { take, flush } = collecting(open)
    const figures = await registry.activities.read(account, take, options)
    await flush()
    if (figures.isBare && forgot) throw new Unreadable(['list_bare'])
    const own = await findOwn(reader, lane, listed, beganAt)
    const hidesSome = figures.isBare && (await hasPurchases(sql, lane))
    const lacks = !agrees || hidesSome || own.lacks || !countsAll(figures)
    const showsAll = reader.shows === 'everything' || declaresAll(figures)
    const complete = !lacks && showsAll && (figures.items === 0 || own.youngestAt !== null)
    const { analyses, limit } = figures
    const items = figures.isBare ? null : figures.items
    const ended = await endListRead(sql, id, { items, analyses, limit, ...own, complete, lacks })
    return ended.length > 0 ? 'read' : 'busy'
  } catch (failure) {
    await failListRead(sql, id, failure instanceof CallFailure ? failure.reason : ['not_written'])
    if (failure instanceof CallFailure) return failure
    throw failure
  }
}

/** What the list shows, by number. */
type Listed = Map<string, { document: string; datedTo: number | null }>

/** Reads a date such as `03/11/2026`, once it is known that the day comes first. */
const readDayFirst = (purchase: LedgerEntry): LedgerEntry => {
  if (purchase.datedFrom?.getTime() === purchase.datedTo?.getTime()) return purchase
  const span = parseSpan(purchase.dated, { isDayFirst: true })
  return { ...purchase, datedFrom: span?.from ?? null, datedTo: span?.to ?? null }
}

/** No list came, or another process got none or is still reading; no call was sent to find that out again. */
export class Unreadable extends CallFailure {
  override readonly name = 'Unreadable'
  override readonly holds = refusals.get(this.reason[0]) ?? null
  readonly outcome = 'not_sent'
}

/** Causes that hold more than the list and therefore take precedence. */
const refusals = new Map<string, HoldCause>([
  ['new_token', 'token'],
  ['check_access', 'denied'],
  ['check_plan', 'plan'],
])

const pageSize = 1_000

type Pages = { add(purchases: LedgerEntry[]): undefined | Promise<void>; flush(): Promise<void> }

/** Collects purchases into pages; a full page is written before more is read. */
const pageByPage = (write: (page: LedgerEntry[]) => Promise<void>): Pages => {
  let page: LedgerEntry[] = []
  const flush = async (): Promise<void> => {
    const full = page
    page = []
    if (full.length > 0) await write(full)
  }
  return {
    add(purchases) {
      page.push(...purchases)
      return page.length >= pageSize ? flush() : undefined
    },
    flush,
  }
}

/** A repeated call starts its pages again; the last ones are flushed when it has succeeded. */
const collecting = (open: () => Pages) => {
  let pages: Pages | undefined
  return {
    take: () => {
      const opened = open()
      pages = opened
      return (activities: { analyses: ListedAnalysis[] }[]) =>
        opened.add(
          activities.flatMap(({ analyses }) => analyses.map(({ uniqueId: key, ...listed }) => ({ ...listed, key }))),
        )
    },
    flush: async () => pages?.flush(),
  }
}

/**
 * When the oldest and the youngest of our purchases that the list shows were intended, the youngest of them that it had to
 * show, and the youngest that it may not show yet; whether it lacks one that it had to show; and whether most are dated long
 * before we made them. A list of the
 * newest lacks nothing that is older than all of ours in it.
 */
const findOwn = async (
  { sql, requestTimeoutMs, lagMs, shows }: ListReader,
  lane: PaidLane,
  listed: Listed,
  beganAt: Date,
): Promise<Omit<ListSnapshot, 'id' | 'beganAt' | 'complete'> & { misdated: boolean }> => {
  const expectedBefore = beganAt.getTime() - judgedAfterMs(requestTimeoutMs) - lagMs
  let found = 0
  let [oldest, youngest, required, awaited, missing] = [Number.POSITIVE_INFINITY, 0, 0, 0, 0]
  let datedTooEarly = 0
  for await (const rows of ownPurchases(sql, lane)) {
    for (const { remoteId, document, boughtAt } of rows) {
      const at = boughtAt.getTime()
      const shown = listed.get(remoteId)
      if (shown && shown.document === (document ?? shown.document)) {
        found++
        if (shown.datedTo !== null && shown.datedTo < at - misdatedMs) datedTooEarly++
        oldest = Math.min(oldest, at)
        youngest = Math.max(youngest, at)
        if (at < expectedBefore) required = Math.max(required, at)
      } else if (at < expectedBefore) missing = Math.max(missing, at)
      else awaited = Math.max(awaited, at)
    }
  }
  return {
    oldestAt: found > 0 ? new Date(oldest) : null,
    youngestAt: dateOf(youngest),
    requiredAt: dateOf(required),
    awaitedAt: dateOf(awaited),
    lacks: missing > (shows === 'newest' && found > 0 ? oldest : 0),
    misdated: datedTooEarly * 2 > found,
  }
}

/** More than time zones and slow clocks explain. */
const misdatedMs = 2 * 86_400_000

const dateOf = (ms: number): Date | null => (ms > 0 ? new Date(ms) : null)

type Licence = { requestId: string; status: string; dated: { from: Date; to: Date } | null }

export type LicenceReader = {
  sql: Database
  registry: { cnh: { latest(document: Document, account: Account, options?: CallOptions): Promise<Licence | null> } }
  clock: () => Date
}

/** Those that could not be read, by document number, and why. */
type Failures = Map<string, CallFailure>

/**
 * Reads the latest licence of each CPF into the purchase ledger: CNH has no list, but its latest record per document, and a
 * 404 proves that there is none. (Interface 4.3)
 */
export const readLatestLicences = async (
  { sql, registry, clock }: LicenceReader,
  account: Account,
  documents: readonly Document[],
  options: CallOptions = {},
): Promise<{ snapshot: ListSnapshot; failures: Failures }> => {
  const lane: PaidLane = { organizationId: account.organizationId, kind: 'cnh' }
  const beganAt = clock()
  const failures: Failures = new Map()
  const found = await Promise.all(
    documents.map(async (document) => {
      const latest = registry.cnh.latest(document, account, options)
      const licence = await latest.catch((error) => void failures.set(document.number, callFailureOf(error)))
      return licence ? [licenceEntry(document, licence)] : []
    }),
  )
  const snapshot = await sql.begin(async (tx) => {
    const snapshot = await insertListSnapshot(tx, lane, { beganAt, complete: failures.size === 0 })
    const listed = found.flat()
    if (listed.length > 0) await recordPurchases(tx, lane, snapshot.id, listed)
    return snapshot
  })
  return { snapshot, failures }
}

const licenceEntry = ({ number }: Document, { requestId, status, dated }: Licence): LedgerEntry => ({
  id: requestId,
  key: null,
  document: number,
  dated: dated?.from.toISOString() ?? null,
  datedFrom: dated?.from ?? null,
  datedTo: dated?.to ?? null,
  status,
  deleted: false,
})
