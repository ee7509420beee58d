import { z } from 'zod'
import { formatCents } from '../domain/amount.ts'
import { type Classification, classifications, isRiskClass } from '../domain/classifications.ts'
import type { Kind } from '../domain/kind.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import { maskedPair, type Pair, readablePairs } from '../domain/readable-pairs.ts'
import type { Sql } from '../store/connect.ts'

/** The registry's answer about one document; the kind decides which parts it has. */
export const answer = z.object({
  classes: z
    .array(
      z.object({
        key: z.enum(classifications),
        count: z.int().nullable(),
        value: z.string().nullable().describe('an amount such as 1234.56, or the text that could not be read as one'),
        atRisk: z.boolean(),
      }),
    )
    .nullable()
    .describe('classes of an analysis; those that indicate risk come first'),
  total: z.int().nullable().describe('the number of court cases'),
  facts: z
    .array(z.object({ path: z.array(z.string()), value: z.union([z.string(), z.number(), z.boolean(), z.null()]) }))
    .describe('data whose keys the registry does not document; names of persons and documents are masked'),
  spreadsheet: z.boolean().describe('whether the registry made a spreadsheet of it'),
})
export type AnswerShown = z.output<typeof answer>

/** An answer as it was stored. */
export type AnswerRow = {
  counts: (number | null)[] | null
  cents: (bigint | null)[] | null
  amounts: (string | null)[] | null
  total: number | null
  data: unknown
}

export const readAnswer = async (sql: Sql, lookupId: bigint): Promise<AnswerRow | null> => {
  const [row] = await sql<AnswerRow[]>`
    select counts, cents, amounts, total, data from vigia.answer where lookup_id = ${lookupId}`
  return row ?? null
}

export const toAnswerView = (row: AnswerRow, kind: Kind, unmasked = false): AnswerShown => ({
  classes:
    row.counts &&
    classesOf(row).map(({ key, count, cents, amount }) => ({
      key,
      count,
      value: cents === null ? amount : formatCents(cents, '.'),
      atRisk: isRiskClass(key),
    })),
  total: row.total,
  facts: unmasked ? factsOf(row, kind) : factsOf(row, kind).map(maskedPair),
  spreadsheet: hasSpreadsheet(row),
})

/** The data of the registry beyond figures. For an analysis that is the address of its spreadsheet: not shown. */
export const factsOf = ({ data }: AnswerRow, kind: Kind): Pair[] =>
  kind === 'analysis' || data === null ? [] : readablePairs(data)

export const hasSpreadsheet = ({ data }: AnswerRow): boolean =>
  typeof (data as { spreadsheet?: unknown } | null)?.spreadsheet === 'string'

export type ClassFigures = {
  key: Classification
  count: number | null
  cents: bigint | null
  /** The text that could not be read as an amount. */
  amount: string | null
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
  const text = (value: unknown) => (value === undefined || value === null ? null : maskDocuments(String(value)))
  const data = (row.data ?? {}) as Record<string, unknown>
  switch (kind) {
    case 'analysis':
      return Object.fromEntries(
        leadingClasses.flatMap((key) => {
          const { count, cents, amount } = figuresIn(row, key)
          return [
            [`${key}_count`, text(count)],
            [`${key}_value`, cents === null ? text(amount) : formatCents(cents, '.')],
          ]
        }),
      )
    case 'cnh':
      return { cnh_status: text(seen) }
    case 'scr':
      return Object.fromEntries(leadingFacts(row).map(({ path, value }) => [path.join('.'), text(value)]))
    case 'processes':
      return { processes_total: text(row.total) }
    case 'radar':
      return { radar_active: text(data.active) }
    case 'inactivation':
      return { process_status: text(data.status) }
  }
}

/** The first facts among the data whose keys the registry does not document. */
const leadingFacts = ({ data }: AnswerRow): Pair[] =>
  readablePairs(data)
    .map(maskedPair)
    .filter(({ path, value }) => /^-?[\d.,]+$/.test(String(value)) && path.at(-1) !== 'document')
    .slice(0, 3)

export const figuresIn = ({ counts, cents, amounts }: AnswerRow, key: Classification): ClassFigures => {
  const i = classifications.indexOf(key)
  return { key, count: counts?.[i] ?? null, cents: cents?.[i] ?? null, amount: amounts?.[i] ?? null }
}

const compare = (a: bigint | null, b: bigint | null): number => {
  const [x, y] = [a ?? -1n, b ?? -1n]
  return x < y ? -1 : x > y ? 1 : 0
}
