import type { FaultRule } from './fault-rule.ts'

/** The same reply after an unannounced change of the registry. */
export function drifted(body: unknown, rule: Pick<FaultRule, 'drift' | 'fields'>): unknown {
  switch (rule.drift) {
    case 'missing':
      return rewrite(body, (key, value) => (rule.fields.includes(key) ? null : [key, value]))
    case 'renamed':
      return rewrite(body, (key, value) => [rule.fields.includes(key) ? snakeCase(key) : key, value])
    case 'numbersAsStrings':
      return rewrite(body, (key, value) => [key, typeof value === 'number' ? String(value) : value])
    case 'unknownStatus':
      return rewrite(body, (key, value) => [key, /^status/.test(key) ? 'REQUEUED_FOR_REVIEW' : value])
    case 'extraClassification':
      return rewrite(body, (key, value) => [key, key === 'summary' ? withExtra(value) : value])
  }
}

type Change = (key: string, value: unknown) => [string, unknown] | null

/** Rewrites every field at any depth; a change that gives nothing drops the field. */
function rewrite(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => change(key, rewrite(inner, change)))
  return Object.fromEntries(entries.filter((entry) => entry !== null))
}

const snakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const withExtra = (summary: unknown) => ({
  ...(summary as object),
  RISK_ENVIRONMENTAL: { vltotalProcess: '1.234,56', totalProcess: 1 },
})
