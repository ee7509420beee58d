import { z } from 'zod'
import { shownStates } from '../../batches/status.ts'
import { kinds } from '../../domain/kind.ts'

/** The shapes that the API answers with; the same as the command line's `--json`. */
const moment = z.iso.datetime().describe('a moment in UTC')
const counts = z.record(z.string(), z.int()).describe('rows per outcome')
const batchState = z.enum(shownStates)
const toldState = z.enum([...shownStates, 'held']).describe('as people are told it: held while a held lane stops it')
const charged = z.enum(['yes', 'no', 'unknown'])
const cause = z.enum(['token', 'plan', 'denied', 'outage', 'budget', 'operator'])
const kind = z.enum(kinds)

export const batchLine = z.object({
  batch: z.int(),
  name: z.string(),
  kind,
  organization: z.int(),
  state: batchState,
  shown: toldState,
  rows: z.int(),
  done: z.int(),
  states: counts,
  charged: z.int(),
  by: z.string().nullable(),
  submitted: moment,
})

export const batchStatus = z.object({
  batch: z.int(),
  name: z.string(),
  fileName: z.string().nullable(),
  kind,
  organization: z.int(),
  state: batchState,
  shown: toldState,
  problem: z.string().nullable(),
  rows: z.int(),
  done: z.int(),
  open: z.int(),
  unanswered: z.int(),
  states: counts,
  spend: z.object({
    charged: z.int(),
    open: z.int().describe('calls on their way'),
    limit: z.int().nullable(),
    expected: z.int(),
    elsewhere: z.int().describe('bought by the organization outside of Vigia: taken, not bought'),
  }),
  inDoubt: z.int(),
  ratePerSecond: z.number().nullable(),
  etaSeconds: z.number().nullable(),
  hold: z
    .object({
      lane: z.string(),
      cause,
      detail: z.string().nullable(),
      since: moment,
      nextTry: moment.nullable(),
      needsPerson: z.boolean(),
    })
    .nullable(),
  workers: z.int(),
  times: z.record(z.enum(['submitted', 'imported', 'started', 'finished', 'exported']), moment.nullable()),
})

export const rowLine = z.object({
  line: z.int(),
  document: z.string().nullable().describe('masked'),
  state: z.string(),
  rejected: z.string().nullable(),
  detail: z.string().nullable(),
  charged,
  asOf: moment.nullable(),
})

export const rowStory = z.object({
  batch: z.int(),
  line: z.int(),
  state: z.string().nullable(),
  detail: z.string().nullable(),
  rejected: z.string().nullable(),
  repair: z.string().nullable(),
  pays: z.boolean().describe('whether this row is the one that pays for its look-up'),
  document: z.string().nullable().describe('masked; a process number is shown'),
  lookup: z
    .object({
      id: z.int(),
      kind,
      organization: z.int(),
      charged,
      remoteId: z.string().nullable().describe('at the registry'),
      seen: z.string().nullable().describe('the last status that the registry told'),
      attempts: z.int(),
      polls: z.int(),
      asked: moment,
      sent: moment.nullable(),
      due: moment.nullable(),
      deadline: moment,
      asOf: moment.nullable(),
      finished: moment.nullable(),
    })
    .nullable(),
  story: z.array(z.object({ at: moment.nullable(), what: z.string() })),
})

export const hold = z.object({
  lane: z.string(),
  cause,
  detail: z.string().nullable(),
  since: moment,
  nextTry: moment.nullable(),
  tries: z.int(),
})

export const trouble = z.object({
  what: z.enum(['lanes_held', 'no_worker', 'books_awaited']),
  cause: cause.nullable(),
  detail: z.string().nullable(),
  lanes: z.array(z.object({ lane: z.string(), organization: z.int(), kind })),
  since: moment.nullable(),
  nextTry: moment.nullable(),
  tries: z.int(),
  stops: z.enum(['asking', 'everything']),
  todo: z.string().describe('what a person can do; nothing: it goes on alone'),
  goesOnAlone: z.boolean(),
  batches: z.array(z.object({ batch: z.int(), name: z.string(), kind, source: z.string(), open: z.int().nullable() })),
})

export const sweep = z.object({
  sweep: z.int(),
  name: z.string(),
  slot: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  trigger: z.enum(['schedule', 'missed', 'operator']),
  due: z.int(),
  verified: z.int(),
  changed: z.int(),
  bought: z.int().nullable().describe('analyses; null where it buys none'),
  started: moment,
  finished: moment.nullable(),
})

export const auditEntry = z.object({
  id: z.int(),
  at: moment,
  who: z.string(),
  what: z.string(),
  subject: z.string(),
  detail: z.record(z.string(), z.unknown()),
})

export const failure = z.object({ error: z.string(), message: z.string() })
