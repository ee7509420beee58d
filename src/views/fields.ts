import { z } from 'zod'
import { holdCauses } from '../domain/call-failure.ts'
import { formatDocument, isBareDocument, maskDocument, readDocument } from '../domain/document.ts'
import { type Kind, kinds } from '../domain/kind.ts'
import { erasedText } from '../domain/lookup.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import { legalBases, purposeParts } from '../domain/purpose.ts'
import { type FormatMessage, inText, type Message } from '../messages/message.ts'

/** Fields that several shapes share. */
export const moment = z.iso.datetime().describe('a moment in UTC')
export const kind = z.enum(kinds)
export const charged = z.enum(['yes', 'no', 'unknown'])
export const cause = z.enum(holdCauses)
export const masked = z.string().describe('documents in it are masked')
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

/** Rows whose columns are named as the keys of their JSON. */
export const toJson = <Shown>(rows: readonly object[]): Shown[] => JSON.parse(JSON.stringify(rows, plainJson))

export const toPurposeFields = (purpose: string | null) => ({
  purpose,
  legalBasis: purpose === null ? null : purposeParts(purpose).legalBasis,
})

/** Masked unless unmasked documents were requested on the command line. */
export const shownDocument = (document: string, unmasked = false): string =>
  unmasked ? formatDocument(document) : maskDocument(document)

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

export const shownText = <T extends string | null>(text: T, unmasked = false) =>
  (text === null || unmasked ? text : maskDocuments(text)) as T extends string ? string : null

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
