import { z } from 'zod'
import { readCents, type UnitPrices } from '../src/domain/amount.ts'
import { classifications } from '../src/domain/classifications.ts'
import { parseDuration } from '../src/domain/duration.ts'
import { type Rule, severities } from '../src/domain/rule.ts'

const anyDuration = 'expected a duration such as "250ms", "30s", "5m", "24h" or "30d"'

/** A duration as people write it; it is parsed into milliseconds. */
export const durationSetting = z
  .string(anyDuration)
  .regex(/^\d{1,8}(ms|s|m|h|d)$/, anyDuration)
  .transform(parseDuration)

const amountAs = (example: string, pattern: RegExp) => {
  const anyAmount = `expected an amount such as "${example}"`
  return z.string(anyAmount).regex(pattern, anyAmount)
}

const amount = amountAs('1.90', /^\d{1,6}(\.\d{1,2})?$/)
const currency = z.string().regex(/^[A-Z]{3}$/, 'expected a currency such as "BRL"')
const price = z.strictObject({ amount, currency })

/** What a paid call costs: one price for all, a price by kind, or one for all with exceptions. */
export const unitPrice = z
  .strictObject({
    amount: amount.optional(),
    currency: currency.optional(),
    analysis: price.optional(),
    cnh: price.optional(),
  })
  .refine(
    (given) => (given.amount === undefined) === (given.currency === undefined),
    'expected an amount and a currency',
  )
  .transform(({ amount, currency, analysis, cnh }): UnitPrices => {
    const all = amount && currency ? { amount, currency } : undefined
    return { ...priced('analysis', analysis ?? all), ...priced('cnh', cnh ?? all) }
  })

const priced = (kind: 'analysis' | 'cnh', given: z.output<typeof price> | undefined): UnitPrices =>
  given ? { [kind]: { cents: readCents(given.amount), currency: given.currency } } : {}

export const severity = z.enum(severities)

const moreThan = amountAs('50000.00', /^\d{1,12}(\.\d{1,2})?$/)
const classes = z.array(z.enum(classifications)).min(1).describe('any of them, each by itself')
const counted = z
  .array(z.enum([...classifications, 'processes']))
  .min(1)
  .describe('any of them, each by itself; `processes` is the number of lawsuits that the nightly sweep counts')

const always = {
  name: z.string().trim().min(1).max(80).describe('its name in alerts'),
  severity: severity.default('warning'),
  portfolio: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .optional()
    .describe('only changes that runs of this portfolio find; without it, all changes'),
  quiet: durationSetting
    .default(0)
    .describe('period without a second alert for the same figure of a document, unless it gets worse'),
}

/** One rule of the settings: plain data, no expressions. */
export const ruleSetting = z
  .discriminatedUnion(
    'when',
    [
      z.strictObject({ ...always, when: z.literal('value_grows'), classes, moreThan }),
      z.strictObject({ ...always, when: z.literal('count_grows'), classes: counted, by: z.int().min(1) }),
      z.strictObject({ ...always, when: z.literal('appears'), classes: counted }),
      z.strictObject({ ...always, when: z.literal('radar_removed') }),
    ],
    { error: whichOnes },
  )
  .transform(({ quiet: quietMs, ...rule }): Rule => {
    if (rule.when !== 'value_grows') return { ...rule, quietMs }
    const { moreThan, ...rest } = rule
    return { ...rest, quietMs, moreThanCents: readCents(moreThan) }
  })

/** Only for an unknown `when`; zod describes the rest itself. */
function whichOnes({ code }: z.core.$ZodRawIssue): string | undefined {
  const known = 'expected "when" to be one of value_grows, count_grows, appears, radar_removed'
  return code === 'invalid_union' ? known : undefined
}
