import { batchLimit, freedByLimit, withinBatchLimit } from '../domain/amount.ts'
import { type BatchState, takesAction } from '../domain/batch.ts'
import { freshSinceOf } from '../domain/fresh-since.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { FinalState } from '../domain/lookup.ts'
import { lockBatch } from '../store/batches/batch-actions.ts'
import type { Batch } from '../store/batches/batches.ts'
import { setMaxSpend } from '../store/batches/consent.ts'
import { countsOf, recount } from '../store/batches/counts.ts'
import { countQuestions, openQuestions, type QuestionCounts } from '../store/batches/quote.ts'
import {
  countOwnQueued,
  countSetApart,
  lockRetries,
  nextQuestions,
  pointRows,
  quoteCollected,
  reopenForRetry,
  setRowsApart,
} from '../store/batches/retry.ts'
import { handOver } from '../store/batches/transfer.ts'
import type { Database, Sql, Transaction } from '../store/connect.ts'
import { askLookups } from '../store/lookups/ask-lookups.ts'
import { recordAudit } from '../store/people/audit.ts'
import { adoptBought } from '../store/purchases/purchases.ts'
import { BatchRefusal, batchOrRefuse, refuseAbove } from './batch-or-refuse.ts'
import type { Steering } from './pause-resume-cancel.ts'

/** The ways to end without an answer that may be asked again; what is parked needs a person's word first. */
export const retryableStates = [
  'failed',
  'timed_out',
  'plan_blocked',
  'denied',
  'over_budget',
  'cancelled',
] as const satisfies readonly FinalState[]

export type RetryableState = (typeof retryableStates)[number]

export type Retry = Steering & {
  states: readonly RetryableState[]
  /** Answers older than this are asked again. */
  freshSince: Date
  /** A new limit for the whole batch; undefined leaves the one it has. */
  maxSpend?: number | null
  /** Whether what the organization bought elsewhere is taken instead. */
  adopts: boolean
  /** What somebody was told that it costs, and agreed to; undefined: whatever it takes. */
  atMost?: number
}

/** `freed`: what waits in the batch itself, and only a new limit lets through. */
export type RetryQuote = QuestionCounts & { rows: number; toBePaid: number; freed: number; parkedRows: number }

/** What whoever asks may say about a retry. */
export type RetryWish = { states?: readonly RetryableState[]; maxSpend?: number }

type RetrySettings = {
  forKind: Record<Kind, { freshness: number; purchases: { adopt: boolean } }>
  budget: { perBatch: number | null }
}

/** What a retry asks again: all that got no answer, unless it is said otherwise, by the settings of its kind. */
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

/** What a retry comes to cost: what it asks again and what a new limit frees, as far as the limit of its batch leaves room. */
export const affordableRetry = (
  { toBePaid, freed }: Pick<RetryQuote, 'toBePaid' | 'freed'>,
  batch: Pick<Batch, 'spent' | 'maxSpend'>,
  { maxSpend = batch.maxSpend }: Pick<Retry, 'maxSpend'>,
): number => withinBatchLimit(toBePaid + freed, batch.spent, maxSpend)

/** How many look-ups of the batch that wait a new limit lets through, which its old one did not. */
const freedOf = (waiting: number, batch: Batch, maxSpend: number | null | undefined): number =>
  maxSpend === undefined || !spendingKinds.includes(batch.kind) ? 0 : freedByLimit(waiting, batch, maxSpend)

/** Whether all of it would only reach the limit of the batch again. */
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
 * Asks rows again that ended without an answer, and opens their batch again; says how many rows.
 *
 * One transaction, whatever the size: a retry that is cut off has not happened, and one that asks nothing changes nothing,
 * the limit neither. What was bought inside the freshness window is not bought again; its look-up gets an heir that goes
 * on waiting. Look-ups are locked before the batch.
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
      await reopenForRetry(tx, id)
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

const askCollected = async (tx: Transaction, batch: Batch, retry: Retry): Promise<number> => {
  const { now, deadlineMs, freshSince, adopts } = retry
  const deadlineAt = new Date(now.getTime() + deadlineMs)
  const asking = { ...laneOf(batch), batchId: batch.id, freshSince, deadlineAt, now }
  let payable = 0
  for (let after = ''; ; ) {
    const questions = await nextQuestions(tx, after, pageSize)
    const last = questions.at(-1)
    if (!last) break
    const asked = await askLookups(tx, questions, asking)
    await pointRows(tx, batch.id, asked)
    payable += asked.filter((each) => each.payable).length
    after = last.question
  }
  if (!spendingKinds.includes(batch.kind)) return 0
  if (!adopts) return payable
  const adopted = await adoptBought(tx, { batchId: batch.id }, { of: 'any', freshSince, deadlineAt, now })
  return payable - (await countSetApart(tx, adopted))
}

/** Gives a batch another limit. Where it then may spend more than was agreed to, it waits for a word. */
export const limitBatch = async (
  sql: Database,
  id: bigint,
  { maxSpend, by }: { maxSpend: number | null; by: string },
): Promise<void> => {
  const state = await setLimit(sql, id, maxSpend)
  await recordAudit(sql, by, 'limit', `batch ${id}`, { maxSpend })
  if (state === 'unconfirmed') await sql.begin((tx) => handOver(tx, id))
}

/** A new limit below what is spent already is refused, and the retry with it. */
const setLimit = async (sql: Sql, id: bigint, maxSpend: number | null): Promise<BatchState> => {
  const [limited] = await setMaxSpend(sql, id, maxSpend)
  if (!limited) throw new BatchRefusal(['spent_more', id, maxSpend])
  return limited.state
}

const laneOf = ({ organizationId, kind }: Batch) => ({ organizationId: Number(organizationId), kind })

const retryableBatch = async (sql: Sql, id: bigint): Promise<Batch> => {
  const batch = await batchOrRefuse(sql, id)
  if (batch.importedAt && takesAction('retry', batch)) return batch
  throw new BatchRefusal(batch.importedAt ? ['not_retryable', id, batch.state] : ['not_imported', id])
}

/** Two that ask the same documents at once may lock each other out; PostgreSQL lets one of them go on. */
const againAfterDeadlock = async <T>(action: () => Promise<T>, tries = 3): Promise<T> => {
  try {
    return await action()
  } catch (error) {
    if ((error as { code?: string }).code !== '40P01' || tries <= 1) throw error
    return againAfterDeadlock(action, tries - 1)
  }
}
