import { term } from '../messages/term.ts'
import { parseAmount } from './amount.ts'
import { type Classification, classifications } from './classifications.ts'

/** The label of what changed: `processes`, `name`, `RISK_WORKER_count` or `RISK_WORKER_value`. */
export const changedField = (terms: FieldTerms, field: string): string => {
  const [, key, what] = /^(\w+?)[_.](count|value|cents|amount)$/.exec(field) ?? []
  const known = classifications.find((name) => name === (key ?? field))
  if (!known) return term(terms.fields, field)
  const name = terms.classifications[known]
  if (!what) return name
  return what === 'count' ? terms.counts(name) : terms.amounts(name)
}

/** The value of a change, formatted by its type; `–` where there was none. */
export const changedValue = (write: FigureWriter, field: string, text: string | null): string => {
  if (text === null) return '–'
  const cents = /(value|amount)$/.test(field)
    ? parseAmount(text)
    : /cents$/.test(field) && /^-?\d+$/.test(text)
      ? BigInt(text)
      : null
  if (cents !== null) return write.cents(cents)
  const isCount = /(processes|count)$/.test(field) && /^\d{1,9}$/.test(text)
  return isCount ? write.count(Number(text)) : write.text(text)
}

type FieldTerms = {
  classifications: Record<Classification, string>
  fields: Record<string, string>
  counts(name: string): string
  amounts(name: string): string
}

/** How a page or a message formats figures. */
type FigureWriter = { cents(value: bigint): string; count(value: number): string; text(value: string): string }
