import { z } from 'zod'
import { formatCents } from '../domain/amount.ts'
import {
  type Classification,
  classifications,
  isRiskClass,
  notSearched,
  withoutUnsearched,
} from '../domain/classifications.ts'
import type { Kind } from '../domain/kind.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import { type AnswerFields, fullAddress } from '../domain/outcome.ts'
import { maskedPair, type Pair, readablePairs } from '../domain/readable-pairs.ts'
import type { Sql } from '../store/connect.ts'
import { firstRow } from '../store/rows.ts'
import { maskedName, shownText, text, toView } from './fields.ts'

/** A field whose name the registry chose. */
export const pair = z.object({
  path: z.array(z.string()),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
})

export const toPairs = (data: unknown, unmasked = false): Pair[] => {
  const pairs = data === null || data === undefined ? [] : readablePairs(data)
  return unmasked ? pairs : pairs.map(maskedPair)
}

const stored = z.object({
  protestId: text.nullable(),
  bucket: text.nullable(),
  folder: text.nullable(),
  fileName: text.nullable(),
  address: text.nullable(),
  partialAddress: text.nullable(),
})

/** What is shown as it is stored. */
const kept = z.object({
  total: z.int().nullable().describe('the number of court cases'),
  name: maskedName.nullable().describe('the name that the registry has for the document'),
  protestStatus: z.string().nullable().describe('whether protests were searched: DONE, or how far that is'),
  debtorStatus: z
    .string()
    .nullable()
    .describe('the same of the registers of debtors, where the list of purchases shows it'),
  estimated: z.int().nullable().describe('how many court cases the registry expected when it was bought'),
  previousId: z.string().nullable().describe('the analysis of the document before this one, as the registry names it'),
  plan: z.string().nullable(),
})

/** The registry's answer about one document; the kind decides which parts it has. */
export const answer = kept.extend({
  classes: z
    .array(
      z.object({
        key: z.enum(classifications),
        count: z.int().nullable(),
        value: z.string().nullable().describe('an amount such as 1234.56, or the text that could not be read as one'),
        atRisk: z.boolean(),
        searched: z.boolean().describe('false: its own search was not finished, so that no figure is not a zero'),
      }),
    )
    .nullable()
    .describe('classes of an analysis; those that indicate risk come first'),
  facts: z
    .array(pair)
    .describe('data whose keys the registry does not document; names of persons and documents are masked'),
  spreadsheet: z.boolean().describe('whether the registry made a spreadsheet of it'),
  partialSpreadsheet: z.boolean().describe('whether it made a partial one'),
  terms: z.array(z.string()).describe('the important terms of an analysis'),
  stored: stored.describe('where the registry keeps it; addresses are temporary'),
  fields: z.array(pair).describe('everything else that the registry sent with it, by its names there'),
})
export type AnswerShown = z.output<typeof answer>

/** An answer as it was stored. */
export type AnswerRow = Omit<AnswerFields, 'terms' | 'rest'> & {
  counts: (number | null)[] | null
  cents: (bigint | null)[] | null
  amounts: (string | null)[] | null
  total: number | null
  data: unknown
  debtorStatus: string | null
  terms: string[] | null
  rest: unknown
}

/** The columns of answer `a` and look-up `l`. */
export const answerColumns = (sql: Sql) => sql`
  a.counts, a.cents, a.amounts, a.total, a.data, l.registry_name as name, l.estimated, l.previous_id, a.protest_status,
  a.debtor_status, a.plan, a.protest_id, a.bucket, a.folder, a.file_name, a.partial, a.important_terms as terms, a.rest`

export const readAnswer = (sql: Sql, lookupId: bigint): Promise<AnswerRow | null> =>
  firstRow(sql`
    select ${answerColumns(sql)} from vigia.answer a join vigia.lookup l on l.id = a.lookup_id where a.lookup_id = ${lookupId}`)

export const toAnswerView = (row: AnswerRow, kind: Kind, unmasked = false): AnswerShown => ({
  ...toView(kept, row, unmasked),
  classes:
    row.counts &&
    classesOf(row).map(({ key, count, cents, amount, searched }) => ({
      key,
      count,
      value: cents === null ? amount : formatCents(cents, '.'),
      atRisk: isRiskClass(key),
      searched,
    })),
  facts: unmasked ? factsOf(row, kind) : factsOf(row, kind).map(maskedPair),
  spreadsheet: hasSpreadsheet(row),
  partialSpreadsheet: row.partial !== null,
  terms: (row.terms ?? []).map((term) => shownText(term, unmasked)),
  // Names of files and addresses may contain the document.
  stored: toView(stored, { ...row, address: spreadsheetOf(row), partialAddress: partialOf(row) }, unmasked),
  fields: toPairs(row.rest, unmasked),
})

export const partialOf = (row: AnswerRow): string | null => row.partial && fullAddress(row.partial, spreadsheetOf(row))

const spreadsheetOf = ({ data }: AnswerRow): string | null => {
  const address = (data as { spreadsheet?: unknown } | null)?.spreadsheet
  return typeof address === 'string' ? address : null
}

/** The data of the registry beyond figures. For an analysis that is the address of its spreadsheet: not shown. */
export const factsOf = ({ data }: AnswerRow, kind: Kind): Pair[] =>
  kind === 'analysis' || data === null ? [] : readablePairs(data)

/** The full one, or at least the partial one. */
export const hasSpreadsheet = (row: AnswerRow): boolean => spreadsheetOf(row) !== null || row.partial !== null

export type ClassFigures = {
  key: Classification
  count: number | null
  cents: bigint | null
  /** The text that could not be read as an amount. */
  amount: string | null
  /** False if its own search was not finished: then a zero is no figure. */
  searched: boolean
}

/** The classes of an analysis: those that indicate risk first, by amount; then the rest in the interface's order. */
export const classesOf = (row: AnswerRow): ClassFigures[] => {
  const all = classifications.map((key) => figuresIn(row, key))
  const [risk, rest] = [all.filter(({ key }) => isRiskClass(key)), all.filter(({ key }) => !isRiskClass(key))]
  return [...risk.toSorted((a, b) => compare(b.cents, a.cents) || (b.count ?? -1) - (a.count ?? -1)), ...rest]
}

/** The classes that matter most to a lender. */
export const leadingClasses = ['ISDEFENDANT_WITH_RISK', 'EXECUTION_WITH_RISK'] as const satisfies Classification[]

/** The main result of a kind, under its names in a report; null if there is no answer. */
export const mainResult = z.record(z.string(), z.string().nullable()).nullable()

export const toMainResultView = (
  row: AnswerRow | null,
  kind: Kind | null,
  seen: string | null,
): z.output<typeof mainResult> => {
  if (!row || !kind) return null
  const shown = (value: unknown) => (value === undefined || value === null ? null : maskDocuments(String(value)))
  const data = (row.data ?? {}) as Record<string, unknown>
  switch (kind) {
    case 'analysis':
      return Object.fromEntries(
        leadingClasses.flatMap((key) => {
          const { count, cents, amount } = figuresIn(row, key)
          return [
            [`${key}_count`, shown(count)],
            [`${key}_value`, cents === null ? shown(amount) : formatCents(cents, '.')],
          ]
        }),
      )
    case 'cnh':
      return { cnh_status: shown(seen) }
    case 'scr':
      return Object.fromEntries(leadingFacts(row).map(({ path, value }) => [path.join('.'), shown(value)]))
    case 'processes':
      return { processes_total: shown(row.total) }
    case 'radar':
      return { radar_active: shown(data.active) }
    case 'inactivation':
      return { process_status: shown(data.status) }
  }
}

/** The first facts among the data whose keys the registry does not document. */
const leadingFacts = ({ data }: AnswerRow): Pair[] =>
  readablePairs(data)
    .map(maskedPair)
    .filter(({ path, value }) => /^-?[\d.,]+$/.test(String(value)) && path.at(-1) !== 'document')
    .slice(0, 3)

export const figuresIn = (row: AnswerRow, key: Classification): ClassFigures => {
  const i = classifications.indexOf(key)
  const { counts, cents } = searchedFigures(row)
  const searched = !notSearched(row).includes(key)
  const amount = searched ? (row.amounts?.[i] ?? null) : null
  return { key, count: counts?.[i] ?? null, cents: cents?.[i] ?? null, amount, searched }
}

/** The figures of an answer; a zero of a class that was not searched is none. */
export const searchedFigures = (row: AnswerRow): Pick<AnswerRow, 'counts' | 'cents'> => ({
  counts: row.counts && withoutUnsearched(row.counts, row),
  cents: row.cents && withoutUnsearched(row.cents, row),
})

const compare = (a: bigint | null, b: bigint | null): number => {
  const [x, y] = [a ?? -1n, b ?? -1n]
  return x < y ? -1 : x > y ? 1 : 0
}
