import { z } from 'zod'
import { retryableStates } from '../../batches/retry.ts'
import { readStatus } from '../../batches/status.ts'
import { submitFile } from '../../batches/submit.ts'
import { batchLine, listBatchLines, statesFor } from '../../views/batch.ts'
import { completeStatus, fullStatus } from '../../views/batch-status.ts'
import { incident, readIncidents } from '../../views/incident.ts'
import { limits } from '../../views/limits.ts'
import { retryShown, toRetryView } from '../../views/retry.ts'
import { submitted, toSubmittedView } from '../../views/submitted.ts'
import { performRetry, performSteering, quoteRetryOf } from '../actions/batch.ts'
import { receiveFile } from '../actions/upload.ts'
import { idIn } from '../address.ts'
import type { Site } from '../site/site.ts'
import { apiRoute, upTo } from './api-route.ts'
import { batchFields } from './upload-fields.ts'

const listQuery = z.object({
  state: z.string().max(20).optional(),
  search: z.string().max(100).optional(),
  before: z.coerce
    .bigint()
    .positive()
    .max(2n ** 62n)
    .optional(),
  limit: upTo(limits.batches),
})

const retryableState = z.enum(retryableStates)
const statesText = z
  .string()
  .transform((text) => text.split(',').map((state) => state.trim()))
  .pipe(z.array(retryableState))
const spendLimit = z.int().min(0).max(2_000_000_000)
const limitText = z
  .string()
  .regex(/^\d{1,10}$/, 'a whole number')
  .transform(Number)
  .pipe(spendLimit)

export const batchRoutes = [
  apiRoute({
    method: 'GET',
    path: '/batches',
    role: 'analyst',
    name: 'listBatches',
    summary: 'The batches, newest first, and the current incidents',
    query: listQuery,
    reply: z.object({ batches: z.array(batchLine), trouble: z.array(incident) }),
    answer: async ({ site: { engine, settings }, query }) => ({
      batches: await listBatchLines(engine.sql, { ...query, state: statesFor(query.state) }, settings.budget.unitPrice),
      trouble: await readIncidents(engine.sql),
    }),
  }),
  apiRoute({
    method: 'POST',
    path: '/batches',
    role: 'ops',
    name: 'submitBatch',
    summary:
      'Submits a file; its batch needs approval before it spends. Fields before the file: kind, organization, maxSpend, encoding, format, language, column (several), sheet, headerLine (0: no header), documentType',
    upload: batchFields,
    reply: submitted,
    async answer({ site, request }) {
      const { sql, boss } = site.engine
      return toSubmittedView(sql, await receiveFile(site, request, (file) => submitFile(sql, boss, file)))
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/batches/{batch}',
    role: 'analyst',
    name: 'readBatch',
    summary: 'One batch with counts, rate, time left, spending, and the cause if its lane is held',
    reply: fullStatus,
    answer: ({ site, params }) => statusOf(site, idIn(params, 'batch')),
  }),
  ...(['confirm', 'pause', 'resume', 'cancel'] as const).map((verb) =>
    apiRoute({
      method: 'POST',
      path: `/batches/{batch}/${verb}`,
      role: 'ops',
      name: `${verb}Batch`,
      summary: {
        confirm: 'Approves the cost of the batch',
        pause: 'Stops new look-ups of the batch',
        resume: 'Resumes the batch',
        cancel: 'Cancels the rows that were not looked up yet',
      }[verb],
      reply: fullStatus,
      async answer({ site, request, params }) {
        await performSteering({ site, visitor: request.visitor! }, verb, idIn(params, 'batch'))
        return statusOf(site, idIn(params, 'batch'))
      },
    }),
  ),
  apiRoute({
    method: 'GET',
    path: '/batches/{batch}/retry',
    role: 'ops',
    name: 'quoteRetry',
    summary: 'What a retry would cost; `state` names states, separated by commas',
    query: z.strictObject({ state: statesText.optional(), maxSpend: limitText.optional() }),
    reply: retryShown,
    async answer({ site, params, query: { state: states, maxSpend } }) {
      const quoted = await quoteRetryOf(site, idIn(params, 'batch'), { states, maxSpend })
      return toRetryView(site.engine.sql, { ...quoted, retried: 0 }, site.settings.budget.unitPrice)
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/batches/{batch}/retry',
    role: 'ops',
    name: 'retryBatch',
    summary:
      'Retries rows without an answer, all of them or only some states; `maxSpend` is the new limit of the batch',
    body: z.strictObject({ state: z.array(retryableState).min(1).optional(), maxSpend: spendLimit.optional() }),
    reply: retryShown,
    async answer({ site, request, params, body: { state: states, maxSpend } }) {
      const steerer = { site, visitor: request.visitor! }
      const retried = await performRetry(steerer, idIn(params, 'batch'), { states, maxSpend })
      return toRetryView(site.engine.sql, retried, site.settings.budget.unitPrice)
    },
  }),
]

/** One batch, as every route that reads or changes it returns it. */
const statusOf = async ({ engine, settings }: Site, id: bigint) =>
  completeStatus(engine.sql, await readStatus(engine.sql, id, engine.clock()), settings.budget.unitPrice)
