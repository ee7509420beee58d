import { z } from 'zod'
import { priceOf, type UnitPrices } from '../domain/amount.ts'
import type { Batch } from '../store/batches/batches.ts'
import type { QuestionCounts } from '../store/batches/quote.ts'
import type { Sql } from '../store/connect.ts'
import { countLiveWorkers } from '../store/fleet/workers.ts'
import { price } from './fields.ts'

/** The cost of a retry, and its number of rows. */
export const retryShown = z.object({
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
