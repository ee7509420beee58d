import { z } from 'zod'
import { readCents, type UnitPrices } from '../src/domain/amount.ts'

const amount = z
  .string('expected an amount such as "1.90"')
  .regex(/^\d{1,6}(\.\d{1,2})?$/, 'expected an amount such as "1.90"')
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
