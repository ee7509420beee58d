import { z } from 'zod'
import { holdCauses } from '../domain/call-failure.ts'
import { formatDocument, isBareDocument, maskDocument, readDocument } from '../domain/document.ts'
import { type Kind, kinds } from '../domain/kind.ts'
import { erasedText } from '../domain/lookup.ts'
import { maskDocuments, maskName } from '../domain/mask-documents.ts'
import { legalBases, purposeParts } from '../domain/purpose.ts'
import { type FormatMessage, inText, type Message } from '../messages/message.ts'

/** A field whose value in a row of the database has another type than in JSON. */
type StoredAs<Schema, Value> = Schema & { readonly stored: Value }

/** Masked unless unmasked documents were requested on the command line. */
export const shownDocument = (document: string, unmasked = false): string =>
  unmasked ? formatDocument(document) : maskDocument(document)

export const shownText = <T extends string | null>(text: T, unmasked = false) =>
  (text === null || unmasked ? text : maskDocuments(text)) as T extends string ? string : null

const shownName = (name: string, unmasked: boolean): string => (unmasked ? name : maskName(shownText(name)))

/** How the texts of a field are shown; one that is described anew stays the same. */
const masks = z.registry<{ show: (text: string, unmasked: boolean) => string }>()

/** Fields that several shapes share. */
export const moment = z.iso.datetime().describe('a moment in UTC') as StoredAs<z.ZodISODateTime, Date>
export const bigId = z.int() as StoredAs<z.ZodInt, bigint>
/** Its text is English. */
export const message = z.string() as StoredAs<z.ZodString, Message>
export const text = z.string().register(masks, { show: shownText })
export const masked = text.describe('documents in it are masked')
export const maskedDocument = z.string().register(masks, { show: shownDocument }).describe('documents in it are masked')
export const maskedName = z.string().register(masks, { show: shownName }).describe('documents in it are masked')
export const kind = z.enum(kinds)
export const charged = z.enum(['yes', 'no', 'unknown'])
export const cause = z.enum(holdCauses)
export const question = z.string().describe('masked; a process number is shown')
export const price = z
  .object({ cents: z.int(), currency: z.string() })
  .nullable()
  .describe('null if no unit price is set')
/** Why people are looked up. */
export const purposeFields = {
  purpose: z.string().nullable().describe('a legal basis, a text, or `basis: text`; null if none was given'),
  legalBasis: z.enum(legalBases).nullable().describe('the one in `purpose` (LGPD, article 7)'),
}

/** Formats a moment as JSON does. */
export const iso = <D extends Date | null>(date: D) => (date?.toISOString() ?? null) as D extends Date ? string : null

/** For `JSON.stringify`, which cannot write big integers: ids and cents beyond 2^53 become text with all digits. */
export const plainJson = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
}

/** A row of the database whose columns are named as the fields of a shape. */
export type RowOf<Shape extends z.ZodObject> = { [Name in keyof Shape['shape']]: Stored<Shape['shape'][Name]> }

type Stored<Schema> = Schema extends { stored: infer Value }
  ? Value
  : Schema extends z.ZodNullable<infer Inner>
    ? Stored<Inner> | null
    : z.output<Schema>

/** The fields of a shape as JSON has them, from such a row: ids as numbers, moments and messages as text, documents masked. */
export const toView = <Shape extends z.ZodObject>(
  { shape }: Shape,
  row: RowOf<Shape>,
  unmasked = false,
): z.output<Shape> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, shownValue(schema, row[name as keyof typeof row], unmasked)]),
  ) as z.output<Shape>

const shownValue = (schema: z.core.$ZodType, value: unknown, unmasked: boolean): unknown => {
  if (schema instanceof z.ZodNullable) return shownValue(schema.unwrap(), value, unmasked)
  if (value instanceof Date) return iso(value)
  if (typeof value === 'bigint') return Number(value)
  if (schema instanceof z.ZodString && Array.isArray(value)) return shownMessage(value as Message)
  return typeof value === 'string' ? (masks.get(schema)?.show(value, unmasked) ?? value) : value
}

export const toPurposeFields = (purpose: string | null) => ({
  purpose,
  legalBasis: purpose === null ? null : purposeParts(purpose).legalBasis,
})

/**
 * The subject of a look-up. A process number identifies no person, but people also write a CPF in its column. Of an
 * erased person no document is left.
 */
export const shownQuestion = (asked: string, of: Kind, unmasked = false): string => {
  if (isBareDocument(asked)) return shownDocument(asked, unmasked)
  if (of !== 'inactivation' || asked.startsWith(erasedText)) return '***'
  const read = readDocument(asked, undefined, 'CPF')
  return 'document' in read && !unmasked ? maskDocument(read.document.number) : shownText(asked, unmasked)
}

/** The text of a message in English, or in the language of the page. */
export const shownMessage = <M extends Message | null>(message: M, formatMessage: FormatMessage = inText) =>
  (message === null ? null : maskDocuments(formatMessage(message))) as M extends Message ? string : null

/** How many items are shown by default, and at most. */
export type Limit = { usual: number; most: number }

/** The same on the command line and over the API, unless noted. */
export const limits = {
  alerts: { usual: 50, most: 10_000 },
  audit: { usual: 50, most: 10_000 },
  backTestAlerts: { usual: 50, most: 100_000 },
  backTestNights: { usual: 90, most: 4_000 },
  batches: { usual: 20, most: 1_000 },
  parked: { usual: 1_000, most: 1_000 },
  portfolioRuns: { usual: 12, most: 1_000 },
  radars: { usual: 1_000, most: 1_000_000 },
  /** The API builds its response in the memory of a worker and blocks it meanwhile; a command has its own process. */
  radarsServed: { usual: 1_000, most: 10_000 },
  sweeps: { usual: 30, most: 1_000 },
  usageDays: { usual: 30, most: 400 },
} as const satisfies Record<string, Limit>
