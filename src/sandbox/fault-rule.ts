import { z } from 'zod'
import { operationNames } from './operations.ts'

/** What may go wrong. Faults named `…Before` and refusals leave the work undone; the others happen after the work. */
export const faultKinds = [
  'rateLimited',
  'serverError',
  'serverErrorAfter',
  'closedBefore',
  'closedAfter',
  'hangBefore',
  'hang',
  'drip',
  'cut',
  'html',
  'empty',
  'oversized',
  'drift',
  'mixedUp',
  'stuckForever',
  'typedError',
  'unauthorized',
  'reply',
] as const

export type FaultKind = (typeof faultKinds)[number]

const driftKinds = [
  'missing',
  'renamed',
  'numbersAsStrings',
  'extraClassification',
  'unknownStatus',
  'hugeAmounts',
  'values',
] as const

const when = {
  /** `all` counts every request of the service, the others only their own. */
  operation: z.union([z.enum(['all', ...operationNames]), z.array(z.enum(operationNames))]),
  /** Only requests about this document. */
  document: z.string().optional(),
  /** A random share of the matching requests; the seed decides which. */
  share: z.number().min(0).max(1).optional(),
  /** Every n-th matching request. */
  every: z.int().positive().optional(),
  /** Only the n-th matching request, counted from 1. */
  nth: z.int().positive().optional(),
  /** All matching requests after the first n. */
  after: z.int().nonnegative().optional(),
  /** Applies at most this often. */
  times: z.int().positive().optional(),
}

/** One rule: which requests it matches, and what happens to them. The first rule that matches a request decides. */
export const faultRule = z.strictObject({
  ...when,
  fault: z.enum(faultKinds),
  /** The status of `serverError`, `html`, `empty` and `reply`. */
  status: z.int().min(200).max(599).optional(),
  /** Seconds, or a date, in the `Retry-After` of `rateLimited` and `serverError`. */
  retryAfter: z.union([z.number(), z.string()]).optional(),
  /** Between the bytes of a `drip`. */
  everyMs: z.number().positive().default(50),
  /** The size of an `oversized` body. */
  bytes: z.int().positive().default(20_000_000),
  drift: z.enum(driftKinds).default('numbersAsStrings'),
  /** The fields that `missing` drops and `renamed` renames, at any depth. */
  fields: z.array(z.string()).default(['createdAt', 'documentInfo', 'typePlan', 'importantTerms']),
  /** What `values` writes into fields that the reply has, by their path without the places in lists: `register.folder`. */
  values: z.record(z.string(), z.unknown()).default({}),
  /** The body of a `reply`, byte for byte. */
  body: z.string().default(''),
  contentType: z.string().default('application/json'),
  /** Whether `reply`, `html` and `empty` happen after the work. */
  worked: z.boolean().default(false),
})

export type FaultRule = z.output<typeof faultRule>
