import { z } from 'zod'
import { BatchRefusal, batchOrRefuse, readStatus } from '../batches/batch-or-refuse.ts'
import { cancelBatch, confirmBatch, pauseBatch, resumeBatch, type Steering } from '../batches/pause-resume-cancel.ts'
import {
  affordableRetry,
  isVain,
  quoteRetry,
  type RetryWish,
  retryableStates,
  retryBatch,
  retryBy,
} from '../batches/retry.ts'
import { priceOf, type UnitPrices } from '../domain/amount.ts'
import { reportedStates } from '../domain/batch.ts'
import type { Kind } from '../domain/kind.ts'
import type { Batch } from '../store/batches/batches.ts'
import type { QuestionCounts } from '../store/batches/quote.ts'
import type { Database, Sql } from '../store/connect.ts'
import { countLiveWorkers } from '../store/fleet/workers.ts'
import { batchLine, listBatchLines, statesFor } from '../views/batch.ts'
import { completeStatus, fullStatus } from '../views/batch-status.ts'
import { limits, price } from '../views/fields.ts'
import { incident, readIncidents } from '../views/incident.ts'
import { type Context, defineOperation, id, limitOf, units } from './operation.ts'

/** What an action on a batch needs beside the batch: who acts, when, and the timeouts. */
export const steeringOf = ({ by, clock, settings, finished }: Context, kind: Kind): Steering => ({
  by,
  now: clock(),
  deadlineMs: settings.forKind[kind].polling.deadline,
  finished,
})

/** A batch, its rows that a retry would look up, and the cost; `toPay` is the part that fits under its limit. */
export const quoteRetryOf = async ({ sql, settings, clock }: Context, id: bigint, wish: RetryWish = {}) => {
  const batch = await batchOrRefuse(sql, id)
  const retry = retryBy(settings, batch.kind, clock(), wish)
  const quote = await quoteRetry(sql, id, retry)
  const toPay = affordableRetry(quote, batch, retry)
  return { batch, retry, quote, toPay, isVain: isVain(quote, toPay) }
}

/** The cost of a retry, and its number of rows. */
const retryShown = z.object({
  batch: z.int(),
  rows: z.int(),
  documents: z.int(),
  fresh: z.int().describe('answered since: free'),
  shared: z.int().describe('with open look-ups'),
  bought: z.int().describe('bought already, answer still awaited'),
  parked: z.int(),
  elsewhere: z.int().describe('bought by the organization outside of Vigia: adopted, not bought'),
  toBeAsked: z.int(),
  toBePaid: z.int(),
  freed: z.int().describe('waiting look-ups of the batch itself that the new limit allows'),
  parkedRows: z.int().describe('not retried: they must be settled first'),
  price: price.describe('of what the limit of the batch allows'),
  retried: z.int().describe('rows; 0 if it was only quoted or not approved'),
  workers: z.int(),
})

type Retried = {
  batch: Pick<Batch, 'id' | 'kind'>
  quote: QuestionCounts & { rows: number; toBePaid: number; freed: number; parkedRows: number }
  /** The part of it, and of the look-ups that the limit frees, that the limit allows. */
  toPay: number
  retried: number
}

export const toRetryView = async (
  sql: Sql,
  { batch, quote, toPay, retried }: Retried,
  prices: UnitPrices | null,
): Promise<z.output<typeof retryShown>> => ({
  batch: Number(batch.id),
  ...quote,
  price: priceOf(prices, batch.kind, toPay),
  retried,
  workers: await countLiveWorkers(sql),
})

export const statusOf = async ({ sql, settings, clock }: Context, id: bigint) =>
  completeStatus(sql, await readStatus(sql, id, clock()), settings.budget.unitPrice)

const atMost = units.optional().describe('the cost that was shown: a higher one is refused')

type Steer = (sql: Database, id: bigint, steering: Steering & { atMost?: number }) => Promise<unknown>

const steering = (verb: 'confirm' | 'pause' | 'resume' | 'cancel', summary: string, steer: Steer) =>
  defineOperation(`${verb}Batch`, 'ops', `POST /batches/{batch}/${verb}`, {
    summary,
    input: z.object({ batch: id, atMost }),
    output: fullStatus,
    async run(context, { batch: id, atMost }) {
      const { kind } = await batchOrRefuse(context.sql, id)
      await steer(context.sql, id, { ...steeringOf(context, kind), atMost })
      return statusOf(context, id)
    },
  })

const retryInput = z.strictObject({
  batch: id,
  state: z
    .array(
      z.enum(retryableStates, {
        error: ({ input }) =>
          input === 'unknown_outcome'
            ? 'a parked row must be settled first: `vigia resolve ID --line N (--adopt REMOTE_ID | --resend | --drop)`'
            : undefined,
      }),
    )
    .min(1)
    .optional()
    .describe(`only these states: ${retryableStates.join(', ')} (default: all)`),
  maxSpend: units.optional().describe('the new limit of paid calls of the batch, up to budget.perBatch'),
})

export const batchOperations = {
  list: defineOperation('listBatches', 'analyst', 'GET /batches', {
    summary: 'The batches, newest first, and the current incidents',
    input: z.object({
      state: z
        .enum(reportedStates)
        .optional()
        .describe(`only batches in this state: ${reportedStates.join(', ')}`),
      search: z.string().max(100).optional().describe('only batches with this in their name, or of this number'),
      before: id.optional().describe('only batches older than this one'),
      limit: limitOf(limits.batches),
    }),
    output: z.object({ batches: z.array(batchLine), trouble: z.array(incident) }),
    run: async ({ sql, settings }, { state, ...filter }) => ({
      batches: await listBatchLines(sql, { ...filter, state: statesFor(state) }, settings.budget.unitPrice),
      trouble: await readIncidents(sql),
    }),
  }),
  read: defineOperation('readBatch', 'analyst', 'GET /batches/{batch}', {
    summary: 'One batch with counts, rate, time left, spending, and the cause if its lane is held',
    input: z.object({ batch: id }),
    output: fullStatus,
    run: (context, { batch }) => statusOf(context, batch),
  }),
  confirm: steering('confirm', 'Approves the cost of the batch', confirmBatch),
  pause: steering('pause', 'Stops new look-ups of the batch', pauseBatch),
  resume: steering('resume', 'Resumes the batch', resumeBatch),
  cancel: steering('cancel', 'Cancels the rows that were not looked up yet', cancelBatch),
  quoteRetry: defineOperation('quoteRetry', 'ops', 'GET /batches/{batch}/retry', {
    summary: 'What a retry would cost; `state` names states, separated by commas',
    input: retryInput,
    output: retryShown,
    async run(context, { batch: id, state: states, maxSpend }) {
      const quoted = await quoteRetryOf(context, id, { states, maxSpend })
      return toRetryView(context.sql, { ...quoted, retried: 0 }, context.settings.budget.unitPrice)
    },
  }),
  /** Retries rows without an answer, unless all of them would exceed the limit. */
  retry: defineOperation('retryBatch', 'ops', 'POST /batches/{batch}/retry', {
    summary:
      'Retries rows without an answer, all of them or only some states; `maxSpend` is the new limit of the batch',
    input: retryInput.extend({ atMost }),
    output: retryShown,
    async run(context, { batch: id, state: states, maxSpend, atMost }) {
      const { sql, settings } = context
      const quoted = await quoteRetryOf(context, id, { states, maxSpend })
      if (quoted.isVain) throw new BatchRefusal(['beyond_limit', id])
      const steering = steeringOf(context, quoted.batch.kind)
      const retried = await retryBatch(sql, id, { ...steering, ...quoted.retry, atMost })
      return toRetryView(sql, { ...quoted, retried }, settings.budget.unitPrice)
    },
  }),
}
