import { parseAmount } from './amount.ts'
import { type Classification, classifications } from './classifications.ts'

/** The label of what changed: `processes`, `name`, `RISK_WORKER_count` or `RISK_WORKER_value`. */
export const changedField = (names: Record<Classification, string>, labels: FieldLabels, field: string): string => {
  const [, key, what] = /^(\w+?)[_.](count|value|cents|amount)$/.exec(field) ?? []
  const known = classifications.find((name) => name === (key ?? field))
  if (!known) {
    const { processes, radar, name, active, portfolio, answer } = labels
    return { processes, radar, name, active, portfolio, answer }[field] ?? field
  }
  const name = names[known]
  if (!what) return name
  return what === 'count' ? labels.counts(name) : labels.amounts(name)
}

/** The value of a change, formatted by its type. */
export const changedValue = (write: FigureWriter, field: string, text: string): string => {
  const cents = /(value|amount)$/.test(field)
    ? parseAmount(text)
    : /cents$/.test(field) && /^-?\d+$/.test(text)
      ? BigInt(text)
      : null
  if (cents !== null) return write.cents(cents)
  const isCount = /(processes|count)$/.test(field) && /^\d{1,9}$/.test(text)
  return isCount ? write.count(Number(text)) : write.text(text)
}

type FieldLabels = {
  processes: string
  radar: string
  name: string
  active: string
  portfolio: string
  answer: string
  counts(name: string): string
  amounts(name: string): string
}

/** How a page or a message formats figures. */
type FigureWriter = { cents(value: bigint): string; count(value: number): string; text(value: string): string }
