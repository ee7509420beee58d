import type { Document } from '../domain/document.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import { documentOf, type Remote } from '../domain/lookup.ts'
import type { Message } from '../messages/message.ts'
import { insertSweepBatch } from '../store/batches/batches.ts'
import { recount } from '../store/batches/counts.ts'
import { assignPayers } from '../store/batches/payers.ts'
import type { Database, Sql } from '../store/connect.ts'
import { isOwned, settleParked } from '../store/lookups/lookups.ts'
import {
  chargeAnew,
  type RowLookup,
  readParkedLookup,
  readRowLookups,
  reopenBatchesOf,
} from '../store/lookups/parked-rows.ts'
import { recordAudit } from '../store/people/audit.ts'
import { returnToBatch, returnToDay } from '../store/purchases/spending.ts'
import { documentColumns, type OwnRow } from '../views/own-row.ts'
import {
  type CandidateShown,
  listAllParked,
  type Parked,
  type ParkedShown,
  readCandidates,
  toParkedView,
} from '../views/parked.ts'
import { BatchRefusal, batchOrRefuse, partOrRefuse } from './batch-or-refuse.ts'
import { readOwnRows, type WantedRow } from './own-rows.ts'
import type { Steering } from './pause-resume-cancel.ts'

/** A person's decision about a call with an unknown outcome. */
export type Resolution = { adopt: string } | 'resend' | 'drop'

/** The purchases of a document in the registry's list. */
export type ListedPurchases = (lane: { organizationId: number; kind: Kind }, document: Document) => Promise<Remote[]>

export type Resolving = Steering & {
  /** The operator's calendar day of a moment, to which its spending was booked. */
  today: (moment: Date) => string
  purchases: ListedPurchases
}

/**
 * Settles a parked row as a person decided: adopt the purchase with this id, send it again, or drop it.
 *
 * An adopted purchase keeps its unit, and so does a dropped one, because nobody knows that it was not bought. Sending
 * again first returns the unit. Every batch that shares the look-up is counted anew.
 */
export const resolveRow = async (
  sql: Database,
  batchId: bigint,
  { line, column }: WantedRow,
  resolution: Resolution,
  resolving: Resolving,
): Promise<{ column: string | undefined }> => {
  const batch = await batchOrRefuse(sql, batchId)
  const rows = await readRowLookups(sql, batchId, line)
  const part = partOrRefuse(batch, column)
  const parked = rows.filter(({ outcome }) => outcome === 'unknown_outcome')
  const columns = documentColumns(batch)
  if (part === undefined && parked.length > 1)
    throw new BatchRefusal(['several_parked', line, batchId, parked.map((each) => columns[each.part]).join(', ')])
  const row = part === undefined ? (parked[0] ?? rows[0]) : rows.find((each) => each.part === part)
  if (!row) throw new BatchRefusal(['no_lookup_at', batchId, line])
  await resolveParkedLookup(sql, { row, batchId, line, outcome: row.outcome }, resolution, resolving)
  return { column: columns[row.part] }
}

/** The same by the number of the look-up, because a look-up of a sweep has no row. */
export const resolveLookup = async (
  sql: Database,
  lookupId: bigint,
  resolution: Resolution,
  resolving: Resolving,
): Promise<void> => {
  const row = await readParkedLookup(sql, lookupId)
  if (!row) throw new BatchRefusal(['no_lookup', lookupId])
  const { batchId, line } = row
  await resolveParkedLookup(sql, { row, batchId, line, outcome: row.state }, resolution, resolving)
}

/** The place of a look-up: a line of a batch or, for a sweep, none; `outcome` is its outcome in that place. */
type Place = { row: RowLookup; batchId: bigint | null; line: number | null; outcome: string }

const resolveParkedLookup = async (
  sql: Database,
  place: Place,
  resolution: Resolution,
  resolving: Resolving,
): Promise<void> => {
  const { row, outcome } = place
  if (outcome !== 'unknown_outcome') throw new BatchRefusal(notParked(place))
  const remote = typeof resolution === 'object' ? await findPurchase(sql, row, resolution.adopt, resolving) : undefined
  await sql.begin((tx) => settle(tx, place, { remote, again: resolution === 'resend' }, resolving))
}

/** Look-ups are locked before batches, as everywhere. */
const settle = async (
  tx: Sql,
  place: Place,
  { remote, again }: { remote: Remote | undefined; again: boolean },
  resolving: Resolving,
) => {
  const { row, line } = place
  const { now, deadlineMs, by } = resolving
  const to = remote ? 'waiting' : again ? 'queued' : 'cancelled'
  const history: Message = [remote ? 'adopted_by' : again ? 'sent_again_by' : 'dropped_by', by]
  const deadlineAt = new Date(now.getTime() + deadlineMs)
  const batchId = place.batchId ?? (to === 'cancelled' ? null : await createHost(tx, row, by))
  const settled = await settleParked(tx, row, { to, remote, history, batchId }, deadlineAt, now)
  if (!settled)
    throw new BatchRefusal(
      place.batchId === null || line === null
        ? ['lookup_settled', row.lookupId]
        : ['line_settled', line, place.batchId],
    )
  if (again) await chargeAgain(tx, row, batchId!, resolving)
  const batches = await reopenBatchesOf(tx, row.lookupId, again ? place.batchId : null)
  if (again) await assignPayers(tx, { lookups: [row.lookupId] })
  for (const id of batches) await resolving.finished(tx, await recount(tx, id, now))
  const detail = { lookup: String(row.lookupId), remote: remote?.id ?? null }
  const subject = place.batchId === null ? `look-up ${row.lookupId}` : `batch ${place.batchId} line ${line}`
  await recordAudit(tx, by, `resolve: ${remote ? 'adopt' : again ? 'resend' : 'drop'}`, subject, detail)
}

/** The look-up of a sweep, which no row waits for, gets a batch that pays for it or fetches it. */
const createHost = (tx: Sql, { lookupId, organizationId, kind }: RowLookup, by: string): Promise<bigint> =>
  insertSweepBatch(tx, {
    organizationId: Number(organizationId),
    kind,
    submittedBy: by,
    name: `settled-${lookupId}`,
    maxSpend: null,
  })

/** The unit of the call goes back, and the batch of the person who decided so pays for the next one. */
const chargeAgain = async (tx: Sql, row: RowLookup, batchId: bigint, { today }: Resolving): Promise<void> => {
  const { kind, payer, sendingAt } = row
  await chargeAnew(tx, row, batchId)
  if (!spendingKinds.includes(kind) || !sendingAt) return
  await returnToBatch(tx, payer, 1)
  await returnToDay(tx, today(sendingAt), 1)
}

const findPurchase = async (sql: Sql, row: RowLookup, id: string, { purchases }: Resolving): Promise<Remote> => {
  const { kind } = row
  if (!spendingKinds.includes(kind)) throw new BatchRefusal(['buys_nothing', kind])
  const lane = { organizationId: Number(row.organizationId), kind }
  const listed = await purchases(lane, documentOf(row))
  const remote = listed.find((purchase) => purchase.id === id)
  if (!remote) throw new BatchRefusal(['not_listed', id, listed.map((purchase) => purchase.id).join(', ') || null])
  if (await isOwned(sql, row, id)) throw new BatchRefusal(['not_ours', id])
  return remote
}

const notParked = ({ row, batchId, line, outcome }: Place): Message => {
  if (batchId === null || line === null) return ['lookup_not_parked', row.lookupId, outcome]
  const isParkedElsewhere = row.state === 'unknown_outcome'
  return isParkedElsewhere ? ['line_left', line, batchId, row.lookupId] : ['line_not_parked', line, batchId, outcome]
}

/** A purchase with an unknown outcome, the registry's purchases of its document, and the file's text of its row. */
export type ParkedCall = Parked & { candidates: CandidateShown[]; own: OwnRow | null }

/** Every purchase with an unknown outcome, oldest first, with the listed purchases that it may be. */
export const listParkedCalls = async (sql: Sql, limit: number): Promise<ParkedCall[]> => {
  const rows = await listAllParked(sql, limit)
  const ids = rows.map(({ lookup }) => lookup)
  const [candidates, own] = [await readCandidates(sql, ids), await ownRowsOf(sql, rows)]
  return rows.map((row) => ({
    ...row,
    candidates: candidates.get(row.lookup) ?? [],
    own: own.get(row.lookup) ?? null,
  }))
}

export const readParked = async (sql: Sql, limit: number): Promise<ParkedShown[]> =>
  (await listParkedCalls(sql, limit)).map((parkedCall) => toParkedView(parkedCall, parkedCall))

/** The file's text of the parked rows; there are few of them, in few files. */
const ownRowsOf = async (sql: Sql, rows: readonly Parked[]): Promise<Map<bigint, OwnRow>> => {
  const found = new Map<bigint, OwnRow>()
  for (const some of Map.groupBy(rows, ({ batch }) => batch).values()) {
    const placed = some.flatMap(({ line, startAt, size }) =>
      line === null || startAt === null || size === null ? [] : [{ line, startAt, size }],
    )
    const own = await readOwnRows(sql, some[0]!, placed)
    for (const { lookup, line } of some) if (line !== null && own.has(line)) found.set(lookup, own.get(line)!)
  }
  return found
}
