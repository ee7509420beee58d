import { batchLimit, freedByLimit, withinBatchLimit } from '../domain/amount.ts'
import { takesAction } from '../domain/batch.ts'
import { freshSinceOf } from '../domain/duration.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { FinalState } from '../domain/lookup.ts'
import { lockBatch, setMaxSpend } from '../store/batches/batch-actions.ts'
import type { Batch } from '../store/batches/batches.ts'
import { countsOf, recount } from '../store/batches/counts.ts'
import { assignPayers } from '../store/batches/payers.ts'
import { countQuestions, openQuestions, type QuestionCounts } from '../store/batches/quote.ts'
import {
  countOwnQueued,
  lockRetries,
  nextQuestions,
  pointRows,
  quoteCollected,
  reopenForRetry,
  setRowsApart,
} from '../store/batches/retry.ts'
import type { Database, Sql, Transaction } from '../store/connect.ts'
import { askLookups } from '../store/lookups/ask-lookups.ts'
import { recordAudit } from '../store/people/audit.ts'
import { adoptBought } from '../store/purchases/adopt-bought.ts'
import { BatchRefusal, batchOrRefuse, refuseAbove } from './batch-or-refuse.ts'
import type { Steering } from './pause-resume-cancel.ts'

/** The outcomes without an answer that may be asked again. Parked rows have to be settled by a person first. */
export const retryableStates = [
  'failed',
  'timed_out',
  'plan_blocked',
  'denied',
  'over_budget',
  'cancelled',
] as const satisfies readonly FinalState[]

type RetryableState = (typeof retryableStates)[number]

export type Retry = Steering & {
  states: readonly RetryableState[]
  /** Answers older than this are asked again. */
  freshSince: Date
  /** A new limit for the batch; undefined keeps the one it has. */
  maxSpend?: number | null
  /** Whether purchases that the organization made elsewhere are used. */
  adopts: boolean
  /** The cost that a person agreed to; undefined accepts any cost. */
  atMost?: number
}

/** `freed`: look-ups of the batch itself that wait for a new limit. */
export type RetryQuote = QuestionCounts & { rows: number; toBePaid: number; freed: number; parkedRows: number }

/** The options of a retry. */
export type RetryWish = { states?: readonly RetryableState[]; maxSpend?: number }

type RetrySettings = {
  forKind: Record<Kind, { freshness: number; purchases: { adopt: boolean } }>
  budget: { perBatch: number | null }
}

/** The defaults of a retry, by the settings of the kind: everything without an answer. */
export const retryBy = (
  { forKind, budget }: RetrySettings,
  kind: Kind,
  now: Date,
  { states = retryableStates, maxSpend }: RetryWish = {},
): Omit<Retry, keyof Steering | 'atMost'> => ({
  states,
  freshSince: freshSinceOf(forKind[kind], now),
  adopts: forKind[kind].purchases.adopt,
  ...(maxSpend !== undefined && { maxSpend: batchLimit(budget, maxSpend) }),
})

/** The cost of a retry within the limit of its batch: the look-ups asked again and those that a new limit frees. */
export const affordableRetry = (
  { toBePaid, freed }: Pick<RetryQuote, 'toBePaid' | 'freed'>,
  batch: Pick<Batch, 'spent' | 'maxSpend'>,
  { maxSpend = batch.maxSpend }: Pick<Retry, 'maxSpend'>,
): number => withinBatchLimit(toBePaid + freed, batch.spent, maxSpend)

/** How many waiting look-ups of the batch fit within the new limit but not within the old one. */
const freedOf = (waiting: number, batch: Batch, maxSpend: number | null | undefined): number =>
  maxSpend === undefined || !spendingKinds.includes(batch.kind) ? 0 : freedByLimit(waiting, batch, maxSpend)

/** Whether the limit of the batch would stop all of it again. */
export const isVain = ({ documents, toBePaid }: RetryQuote, affordable: number): boolean =>
  affordable === 0 && toBePaid > 0 && toBePaid === documents

/** What a retry would ask and cost; changes nothing. */
export const quoteRetry = async (
  sql: Database,
  id: bigint,
  { states, freshSince, adopts, maxSpend }: Pick<Retry, 'states' | 'freshSince' | 'adopts' | 'maxSpend'>,
): Promise<RetryQuote> => {
  const batch = await retryableBatch(sql, id)
  const { unknown_outcome: parkedRows = 0 } = await countsOf(sql, id)
  return sql.begin(async (tx) => {
    const rows = await setRowsApart(tx, id, states)
    await openQuestions(tx)
    await quoteCollected(tx)
    const counts = await countQuestions(tx, { ...laneOf(batch), freshSince, adopts })
    const toBePaid = spendingKinds.includes(batch.kind) ? counts.toBeAsked : 0
    const freed = rows === 0 ? 0 : freedOf(await countOwnQueued(tx, id), batch, maxSpend)
    return { rows, ...counts, toBePaid, freed, parkedRows }
  })
}

/**
 * Asks rows without an answer again and reopens their batch; returns how many rows.
 *
 * It is one transaction of any size: a retry that is cut off has not happened, and one without rows changes nothing,
 * not even the limit. Purchases inside the freshness window are not made again: the new look-up inherits them and waits
 * for their answer. Look-ups are locked before the batch.
 */
export const retryBatch = async (sql: Database, id: bigint, retry: Retry): Promise<number> => {
  const batch = await retryableBatch(sql, id)
  return againAfterDeadlock(() =>
    sql.begin(async (tx) => {
      await lockRetries(tx, id)
      const rows = await setRowsApart(tx, id, retry.states)
      if (rows === 0) return 0
      const waiting = await countOwnQueued(tx, id)
      const payable = await askCollected(tx, batch, retry)
      await lockBatch(tx, id)
      const locked = await retryableBatch(tx, id)
      const freed = freedOf(waiting, locked, retry.maxSpend)
      refuseAbove(retry.atMost, id, affordableRetry({ toBePaid: payable, freed }, locked, retry))
      if (retry.maxSpend !== undefined) await setLimit(tx, id, retry.maxSpend)
      await reopenForRetry(tx, id, waiting + payable, retry.now)
      await assignPayers(tx, { batch: id }, deadlineOf(retry))
      await retry.finished(tx, await recount(tx, id, retry.now))
      await recordAudit(tx, retry.by, 'retry', `batch ${id}`, {
        rows,
        states: [...retry.states],
        toBePaid: payable,
        ...(retry.maxSpend !== undefined && { maxSpend: retry.maxSpend }),
      })
      return rows
    }),
  )
}

const pageSize = 10_000

/** Asks the questions of the collected rows, and returns how many of them the batch will have to pay for. */
const askCollected = async (tx: Transaction, batch: Batch, retry: Retry): Promise<number> => {
  const { now, freshSince, adopts } = retry
  const deadlineAt = deadlineOf(retry)
  const asking = { ...laneOf(batch), batchId: batch.id, freshSince, deadlineAt, now }
  let payable = 0
  for (let after = ''; ; ) {
    const questions = await nextQuestions(tx, after, pageSize)
    const last = questions.at(-1)
    if (!last) break
    const asked = await askLookups(tx, questions, asking)
    await pointRows(tx, batch.id, asked)
    const ids = asked.filter((each) => each.payable).map(({ id }) => id)
    const isAdopting = adopts && spendingKinds.includes(batch.kind)
    const adopted = isAdopting ? await adoptBought(tx, { ids }, { of: 'any', freshSince, deadlineAt, now }) : []
    payable += ids.length - adopted.length
    after = last.question
  }
  return spendingKinds.includes(batch.kind) ? payable : 0
}

const deadlineOf = ({ now, deadlineMs }: Steering): Date => new Date(now.getTime() + deadlineMs)

/** Changes the limit of a batch. If the batch may then spend more than was agreed to, it needs approval. */
export const limitBatch = async (
  sql: Database,
  id: bigint,
  { maxSpend, by }: { maxSpend: number | null; by: string },
): Promise<void> => {
  await setLimit(sql, id, maxSpend)
  await recordAudit(sql, by, 'limit', `batch ${id}`, { maxSpend })
  await assignPayers(sql, { batch: id })
}

/** A new limit below what is already spent is refused, and the retry with it. */
const setLimit = async (sql: Sql, id: bigint, maxSpend: number | null): Promise<void> => {
  const limited = await setMaxSpend(sql, id, maxSpend)
  if (limited.length === 0) throw new BatchRefusal(['spent_more', id, maxSpend])
}

const laneOf = ({ organizationId, kind }: Batch) => ({ organizationId: Number(organizationId), kind })

const retryableBatch = async (sql: Sql, id: bigint): Promise<Batch> => {
  const batch = await batchOrRefuse(sql, id)
  if (batch.importedAt && takesAction('retry', batch)) return batch
  throw new BatchRefusal(batch.importedAt ? ['not_retryable', id, batch.state] : ['not_imported', id])
}

/** Two retries that ask about the same documents may deadlock; PostgreSQL ends one, which is tried again. */
const againAfterDeadlock = async <T>(action: () => Promise<T>, tries = 3): Promise<T> => {
  try {
    return await action()
  } catch (error) {
    if ((error as { code?: string }).code !== '40P01' || tries <= 1) throw error
    return againAfterDeadlock(action, tries - 1)
  }
}
