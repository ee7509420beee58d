import { z } from 'zod'

/** The zones of Brazil in which a date without a zone may have been written, in hours from UTC: none has summer time. */
export const zoneHours = { 'America/Sao_Paulo': -3, 'America/Manaus': -4, 'America/Noronha': -2, UTC: 0 } as const

const dateShapes = [
  'zoned',
  'zoneless',
  'epoch',
  'epochSeconds',
  'brazilian',
  'monthFirst',
  'day',
  'brazilianDay',
  'zero',
  'startOfEpoch',
  'none',
] as const

export type DateShape = (typeof dateShapes)[number]

const milliseconds = z.number().nonnegative()

/** How moments are written, in lists and answers alike. */
const dates = z.strictObject({
  /** `own` is the shape that the interface shows for each field. */
  shape: z.enum(['own', ...dateShapes]).default('own'),
  /** The time zone of dates without a zone, and of days. */
  zone: z.enum(Object.keys(zoneHours) as [keyof typeof zoneHours]).default('America/Sao_Paulo'),
  /** How far the registry's clock is ahead of ours; negative if it is behind. */
  clockMs: z.number().default(0),
  /** How far apart the clocks of its servers are: one of three dates each moment, and the seed decides which. */
  apartMs: milliseconds.default(0),
})

/** The `createdAt` in the answers of a generate, a consult or a CNH call. `dates` alone decides about lists. */
const answers = z.strictObject({
  createdAt: z.enum(['own', 'microseconds', 'zero', 'missing', 'null']).default('own'),
  /** How many days before the purchase the answer is dated, as if the data had been collected earlier. */
  ageDays: z.number().nonnegative().default(0),
})

/** The list of analyses. (Interface 4.6) */
const list = z.strictObject({
  /** How many items one answer shows; there is no way to request the next ones. */
  page: z.int().nonnegative().nullable().default(null),
  /** What a page counts: items, or the analyses in them, so that it may show part of an item. */
  of: z.enum(['items', 'analyses']).default('items'),
  /** Which items a page shows; `any` draws them anew for each answer. */
  keep: z.enum(['newest', 'oldest', 'any']).default('newest'),
  /** Whether `total` counts all items or those of the page. */
  total: z.enum(['all', 'page']).default('all'),
  /**
   * The values of `from`, `to` and `limit`: `own` has the page size as limit, `length` the number of items shown,
   * `analyses` the number of analyses shown, the others no number.
   */
  figures: z.enum(['own', 'length', 'analyses', 'zero', 'null']).default('own'),
  /** Fields of the list that the interface does not show, such as a balance. */
  extra: z.record(z.string(), z.unknown()).default({}),
  order: z.enum(['newest', 'oldest', 'shuffled']).default('newest'),
  /** One item per document with all its analyses, or one per analysis. */
  per: z.enum(['document', 'analysis']).default('document'),
  /** The analysis by which an item is sorted, in the order and in a page. */
  by: z.enum(['first', 'last']).default('first'),
  /** Whether deleted analyses are still listed, with their `deletedAt`. */
  deleted: z.enum(['listed', 'hidden']).default('listed'),
  /** Listed purchases of other organizations; `marked` ones name the organization, which the interface does not show. */
  foreign: z.enum(['none', 'marked', 'unmarked']).default('none'),
  /** An analysis is listed, and counted, only this long after it was made. */
  lagMs: milliseconds.default(0),
  /** Whether all have this lag, or each its own lag of at most this. */
  lags: z.enum(['alike', 'each']).default('alike'),
  /** The share of items without any date; the seed decides which. */
  undated: z.number().min(0).max(1).default(0),
  ids: z.enum(['number', 'string']).default('number'),
  /** The form of a list without items: an empty array, `null`, `result` null or left out, a 404, or a refusal. */
  empty: z.enum(['array', 'null', 'nullResult', 'noResult', 'notFound', 'refused']).default('array'),
})

/** What somebody else bought: a colleague on the registry's own page, another system, another organization. */
const others = z.strictObject({
  documents: z.array(z.string()),
  /** How long ago, or at which moment. */
  ageMs: milliseconds.default(0),
  at: milliseconds.optional(),
  organizationId: z.int().default(7001),
  /** Bought, and deleted since. */
  deleted: z.boolean().default(false),
})

/** The statuses of what has not finished; the interface shows only DONE and INITIAL. (Interface 3.2) */
const statusNames = z.strictObject({
  created: z.string().default('CREATED'),
  initial: z.string().default('INITIAL'),
  pending: z.string().default('PENDING'),
  processing: z.string().default('PROCESSING'),
})

/** How a registry decides what the interface does not show. The defaults are the sandbox's usual behaviour. */
export const world = z.strictObject({
  dates: dates.prefault({}),
  answers: answers.prefault({}),
  list: list.prefault({}),
  others: z.array(others).default([]),
  /** The list of radars shows only the first ones. (Interface 4.9) */
  radars: z.strictObject({ page: z.int().nonnegative().nullable().default(null) }).prefault({}),
  words: statusNames.prefault({}),
  /** The HTTP code of every refusal except the 404 of a CNH, which the interface shows. (Interface 7) */
  errorStatus: z.int().min(200).max(599).nullable().default(null),
})

export type World = z.output<typeof world>
export type WorldPatch = z.input<typeof world>
