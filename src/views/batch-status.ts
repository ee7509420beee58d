import { z } from 'zod'
import { priceOf, type UnitPrices, withinLimit } from '../domain/amount.ts'
import { answeredStates, type LookupState } from '../domain/lookup.ts'
import { type Pace, paceSince } from '../domain/pace.ts'
import { type FormatMessage, inText } from '../messages/message.ts'
import type { Batch } from '../store/batches/batches.ts'
import { countsOf } from '../store/batches/counts.ts'
import { readReportedState } from '../store/batches/standing.ts'
import type { Sql } from '../store/connect.ts'
import { readHold } from '../store/fleet/lanes.ts'
import { countLiveWorkers } from '../store/fleet/workers.ts'
import { callsOf, type UnsettledCalls } from '../store/lookups/lookups.ts'
import { batchHead, chargesOf, toBatchHeadView } from './batch.ts'
import { iso, moment, price, shownText } from './fields.ts'
import { hold, toHoldView } from './incident.ts'
import { documentColumns } from './own-row.ts'
import { parkedRow, readParkedRows } from './parked.ts'

/** The progress of a batch, its cost, and what holds it. */
const batchStatus = batchHead.extend({
  problem: z.string().nullable(),
  unreadSheets: z.array(z.string()).describe('sheets of the workbook that hold documents and were not read'),
  unaskedColumns: z.array(z.string()).describe('columns that hold documents and are not asked about'),
  documentColumns: z.array(z.string()).describe('what each document of a row is called; empty where a row has one'),
  open: z.int().describe('documents'),
  unanswered: z.int(),
  spend: z
    .object({
      charged: z.int(),
      open: z.int().describe('calls in progress; they count against the limit already'),
      limit: z.int().nullable(),
      expected: z.int(),
      elsewhere: z.int().describe('bought by the organization outside of Vigia: adopted, not bought'),
    })
    .describe('in units'),
  inDoubt: z.int(),
  ratePerSecond: z.number().nullable().describe('the average since it started'),
  etaSeconds: z.number().nullable(),
  hold: hold.nullable(),
  workers: z.int(),
  times: z.object({
    submitted: moment,
    imported: moment.nullable(),
    started: moment.nullable(),
    finished: moment.nullable(),
    exported: moment.nullable(),
  }),
})
export type BatchStatus = z.output<typeof batchStatus>

/** What it will cost in total, up to its limit. */
export const willSpend = ({ spend }: Pick<BatchStatus, 'spend'>): number => withinLimit(spend.expected, spend.limit)

/** The same with its price, and the first hundred parked rows. */
export const fullStatus = batchStatus.extend({ price, parked: z.array(parkedRow) })
export type FullStatus = z.output<typeof fullStatus>

export const completeStatus = async (
  sql: Sql,
  status: BatchStatus,
  prices: UnitPrices | null,
): Promise<FullStatus> => ({
  ...status,
  price: priceOf(prices, status.kind, status.spend.charged),
  parked: status.states.unknown_outcome
    ? await readParkedRows(sql, BigInt(status.batch), status.documentColumns, 100)
    : [],
})

/** What the layout of a batch names beside what was read. */
const namesIn = ({ layout }: Batch, list: 'unread' | 'unasked'): string[] =>
  ((layout as Record<string, string[]> | null)?.[list] ?? []).map((name) => shownText(name))

export const toStatusView = async (
  sql: Sql,
  batch: Batch,
  now: Date,
  formatMessage: FormatMessage = inText,
): Promise<BatchStatus> => {
  const counts = await countsOf(sql, batch.id)
  const held = batch.finishedAt ? null : await readHold(sql, batch)
  const reported = held && (await readReportedState(sql, batch.id))
  const calls = await callsOf(sql, batch.id)
  const head = toBatchHeadView(batch, { state: batch.shown, shown: reported ?? batch.shown, counts })
  return {
    ...head,
    problem: problemOf(batch, formatMessage),
    unreadSheets: namesIn(batch, 'unread'),
    unaskedColumns: namesIn(batch, 'unasked'),
    documentColumns: documentColumns(batch),
    open: head.total - head.done,
    unanswered: Object.entries(counts).reduce((sum, [state, rows]) => (isAnswered(state) ? sum : sum + rows), 0),
    spend: spendOf(batch, calls),
    inDoubt: calls.unknownOutcomes,
    ...(head.shown === 'running' || batch.finishedAt ? averagePace(batch, head, now) : noPace),
    hold: held && toHoldView(held),
    workers: await countLiveWorkers(sql),
    times: {
      submitted: iso(batch.createdAt),
      imported: iso(batch.importedAt),
      started: iso(batch.startedAt),
      finished: iso(batch.finishedAt),
      exported: iso(batch.exportedAt),
    },
  }
}

/** Why a batch was rejected: the file, or each of its rows. */
const problemOf = ({ message, state, rows }: Batch, formatMessage: FormatMessage): string | null => {
  if (message) return formatMessage(message)
  return state === 'rejected' ? formatMessage(['all_rejected', rows]) : null
}

export const spendOf = (batch: Batch, calls: UnsettledCalls): BatchStatus['spend'] => ({
  ...chargesOf(batch, calls.open),
  limit: batch.maxSpend,
  expected: batch.toBePaid,
  elsewhere: batch.adopted,
})

/** A batch that waits for approval, a person or a lane makes no progress. */
const noPace: Pace = { ratePerSecond: null, etaSeconds: null }

const averagePace = (
  { startedAt, finishedAt }: Batch,
  { total, done, states }: z.output<typeof batchHead>,
  now: Date,
) => {
  const { rejected = 0 } = states
  const ended = { done: done - rejected, total: total - rejected, now: finishedAt ?? now }
  return startedAt ? paceSince({ at: startedAt.getTime(), done: 0 }, ended) : noPace
}

/** A rejected row counts as answered: its reason is reported, and no answer was possible. */
export const isAnswered = (state: string): boolean =>
  state === 'rejected' || answeredStates.includes(state as LookupState)

/** The response to a submitted file. */
export const submitted = z.object({
  batch: z.int(),
  repeated: z.boolean().describe('the same bytes were submitted before, as that batch'),
  sha256: z.string(),
  workers: z.int(),
})
export type SubmittedShown = z.output<typeof submitted>

type Taken = { batchId: bigint; repeated: boolean; sha256: string }

export const toSubmittedView = async (sql: Sql, { batchId, repeated, sha256 }: Taken): Promise<SubmittedShown> => ({
  batch: Number(batchId),
  repeated,
  sha256,
  workers: await countLiveWorkers(sql),
})
