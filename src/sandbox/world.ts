import { z } from 'zod'

/** The zones of Brazil in which a date without a zone may have been written, by their hours from UTC: none has summer time. */
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
  /** Where the clock on the wall hangs that dates without a zone, and days, are read from. */
  zone: z.enum(Object.keys(zoneHours) as [keyof typeof zoneHours]).default('America/Sao_Paulo'),
  /** How far the registry's clock is ahead of ours; one that is slow is behind by a negative number. */
  clockMs: z.number().default(0),
  /** How far apart the clocks of its servers are: each moment is told by one of three, and the seed decides by which. */
  apartMs: milliseconds.default(0),
})

/** The `createdAt` of what answers a generate, a consult or a CNH call. Lists are dated by `dates` alone. */
const answers = z.strictObject({
  createdAt: z.enum(['own', 'microseconds', 'zero', 'missing', 'null']).default('own'),
  /** How many days before the purchase the answer is dated, as where the data was gathered earlier. */
  ageDays: z.number().nonnegative().default(0),
})

/** The list of analyses. (Interface 4.6) */
const list = z.strictObject({
  /** How many items one answer shows; there is no way to ask for the next ones. */
  page: z.int().nonnegative().nullable().default(null),
  /** What a page counts: items, or the analyses in them, so that it may show a part of an item. */
  of: z.enum(['items', 'analyses']).default('items'),
  /** Which items a page shows; `any` draws them anew for each answer. */
  keep: z.enum(['newest', 'oldest', 'any']).default('newest'),
  /** Whether `total` counts all items or those of the page. */
  total: z.enum(['all', 'page']).default('all'),
  /**
   * What `from`, `to` and `limit` say: `own` has the page size as limit, `length` how many items are shown, `analyses` how
   * many of these, the others nothing.
   */
  figures: z.enum(['own', 'length', 'analyses', 'zero', 'null']).default('own'),
  order: z.enum(['newest', 'oldest', 'shuffled']).default('newest'),
  /** One item per document with all its analyses, or one per analysis. */
  per: z.enum(['document', 'analysis']).default('document'),
  /** By which of its analyses an item stands among the others, in the order and in a page. */
  by: z.enum(['first', 'last']).default('first'),
  /** Whether what was deleted is still listed, with its `deletedAt`. */
  deleted: z.enum(['listed', 'hidden']).default('listed'),
  /** Purchases of other organizations among ours; `marked` ones carry the organization, which the interface does not show. */
  foreign: z.enum(['none', 'marked', 'unmarked']).default('none'),
  /** An analysis is listed, and counted, only this long after it was made. */
  lagMs: milliseconds.default(0),
  /** Whether each is so late, or each at its own time, up to it. */
  lags: z.enum(['alike', 'each']).default('alike'),
  /** The share of items without any date; the seed decides which. */
  undated: z.number().min(0).max(1).default(0),
  ids: z.enum(['number', 'string']).default('number'),
  /** What stands for a list without items: an empty array, `null`, `result` null or left out, a 404, or a refusal. */
  empty: z.enum(['array', 'null', 'nullResult', 'noResult', 'notFound', 'refused']).default('array'),
})

/** What somebody else bought: a colleague in the registry's own page, another system, another organization. */
const others = z.strictObject({
  documents: z.array(z.string()),
  /** How long ago; or at which moment. */
  ageMs: milliseconds.default(0),
  at: milliseconds.optional(),
  organizationId: z.int().default(7001),
  /** Bought, and deleted since. */
  deleted: z.boolean().default(false),
})

/** The words for what has not ended; the interface shows DONE and INITIAL alone. (Interface 3.2) */
const statusNames = z.strictObject({
  created: z.string().default('CREATED'),
  initial: z.string().default('INITIAL'),
  pending: z.string().default('PENDING'),
  processing: z.string().default('PROCESSING'),
})

/** How a registry settles what the interface does not show. Every key left out is settled as the sandbox always did. */
export const world = z.strictObject({
  dates: dates.prefault({}),
  answers: answers.prefault({}),
  list: list.prefault({}),
  others: z.array(others).default([]),
  /** The list of radars shows the first ones only. (Interface 4.9) */
  radars: z.strictObject({ page: z.int().nonnegative().nullable().default(null) }).prefault({}),
  words: statusNames.prefault({}),
  /** The HTTP code of every refusal; the 404 of a CNH is shown, and stays. (Interface 7) */
  errorStatus: z.int().min(200).max(599).nullable().default(null),
})

export type World = z.output<typeof world>
export type WorldPatch = z.input<typeof world>
