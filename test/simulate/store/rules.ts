import { holdEnds } from '../../../src/domain/hold-ends.ts'
import { spendingKinds } from '../../../src/domain/kind.ts'
import type { ModelDatabase } from './database.ts'
import type { BatchRecord, LookupRecord, PurchaseRecord, RowRecord } from './tables.ts'

// The functions of sql/: each rule once, under the name that it has there.

export const laneKey = ({ organizationId, kind }: { organizationId: number | bigint; kind: string }): string =>
  `${organizationId}/${kind}`

export const purchaseKey = (organizationId: number, kind: string, remoteId: string): string =>
  `${organizationId}/${kind}/${remoteId}`

export const isPaused = (b: BatchRecord): boolean => b.pausedAt !== null && b.finishedAt === null
export const mayAsk = (b: BatchRecord): boolean => b.state === 'running' && b.pausedAt === null
export const goesOn = (b: BatchRecord): boolean =>
  (b.state === 'running' || b.state === 'importing') && b.pausedAt === null

export const maySpend = (b: BatchRecord): boolean =>
  !spendingKinds.includes(b.kind) || b.maxSpend === null || b.spent < b.maxSpend
export const mayPay = (b: BatchRecord | undefined): b is BatchRecord =>
  b !== undefined && b.finishedAt === null && goesOn(b) && maySpend(b)

export const holdStops = (cause: string | undefined, state: string): boolean =>
  cause !== undefined && (state === 'queued' || !['plan', 'budget', 'list', 'refused'].includes(cause))

export const holdIsTriedBy = (cause: string, state: string): boolean =>
  holdStops(cause, state) &&
  (cause !== 'fetch_refused' || state === 'waiting') &&
  (cause !== 'denied' || state !== 'sending')

const answers = ['ok', 'not_found', 'invalid_document']

export const freshFrom = (l: LookupRecord): Date | null => l.adoptedAt ?? l.sentAt ?? l.finishedAt
const isSince = (l: LookupRecord, since: Date): boolean => {
  const from = freshFrom(l)
  return from !== null && from > since
}
export const isFresh = (l: LookupRecord, since: Date): boolean => answers.includes(l.state) && isSince(l, since)
export const isBought = (l: LookupRecord, since: Date): boolean =>
  !answers.includes(l.state) && l.remoteId !== null && isSince(l, since)
export const isShared = (l: LookupRecord, since: Date): boolean =>
  l.finishedAt === null || l.state === 'unknown_outcome' || isFresh(l, since)
export const isBoughtElsewhere = (l: LookupRecord): boolean =>
  l.adoptedAt !== null && l.charged === 'no' && (l.kind === 'analysis' || l.kind === 'cnh')

export const rowOutcome = (row: RowRecord, l: LookupRecord): string =>
  row.cancelled ? 'cancelled' : l.finishedAt === null ? 'pending' : l.state

export const heldByOperator = Object.entries(holdEnds).flatMap(([cause, { tried }]) =>
  tried === 'never' ? [cause] : [],
)
export const holdingEveryLane = Object.entries(holdEnds).flatMap(([cause, { holds }]) =>
  holds === 'every_lane' ? [cause] : [],
)

export const owns = (o: LookupRecord, p: PurchaseRecord): boolean =>
  o.current && o.kind === p.kind && o.remoteId === p.remoteId && o.organizationId === p.organizationId

export const mayOwn = (o: LookupRecord, p: PurchaseRecord): boolean =>
  o.current &&
  o.kind === p.kind &&
  o.remoteId === p.remoteId &&
  o.organizationId !== p.organizationId &&
  o.question === p.document

/** By the newest list that came: its dates prove nothing. */
export const isMisdated = ({ tables }: ModelDatabase, p: PurchaseRecord): boolean => {
  let newest: { id: bigint; misdated: boolean } | null = null
  for (const snapshot of tables.snapshots.values()) {
    if (snapshot.organizationId !== p.organizationId || snapshot.kind !== p.kind || snapshot.complete === null) continue
    if (!newest || snapshot.id > newest.id) newest = snapshot
  }
  return newest?.misdated ?? false
}

export const isErased = ({ question }: { question: string }): boolean => question.startsWith('erased:')

/** Rows are compared as PostgreSQL compares texts in "C". */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
export const byId = (a: { id: bigint }, b: { id: bigint }): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
export const floorMs = (date: Date | null): number | null => date && Math.floor(date.getTime())
