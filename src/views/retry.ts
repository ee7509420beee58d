import { z } from 'zod'
import { priceOf, type UnitPrices } from '../domain/amount.ts'
import type { Batch } from '../store/batches/batches.ts'
import type { QuestionCounts } from '../store/batches/quote.ts'
import type { Sql } from '../store/connect.ts'
import { countLiveWorkers } from '../store/fleet/workers.ts'
import { price } from './fields.ts'

/** What asking again costs, and how many rows will be. */
export const retryShown = z.object({
  batch: z.int(),
  rows: z.int(),
  documents: z.int(),
  fresh: z.int().describe('answered meanwhile: free'),
  shared: z.int().describe('with look-ups that are open'),
  bought: z.int().describe('and only waited for'),
  parked: z.int(),
  elsewhere: z.int().describe('bought by the organization outside of Vigia: taken, not bought'),
  toBeAsked: z.int(),
  toBePaid: z.int(),
  freed: z.int().describe('look-ups of the batch itself that wait, and that only the new limit lets through'),
  parkedRows: z.int().describe('not asked: they need a word first'),
  price: price.describe('of what the limit of the batch leaves room for'),
  retried: z.int().describe('rows; 0 where it was only quoted, or nobody agreed'),
  workers: z.int(),
})

type Retried = {
  batch: Pick<Batch, 'id' | 'kind'>
  quote: QuestionCounts & { rows: number; toBePaid: number; freed: number; parkedRows: number }
  /** What of it, and of what the limit frees, the limit leaves room for. */
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
