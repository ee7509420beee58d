import { z } from 'zod'
import { readCents } from '../src/domain/amount.ts'
import { classifications } from '../src/domain/classifications.ts'
import { type Rule, severities } from '../src/domain/rule.ts'
import { durationSetting } from './duration-setting.ts'

export const severity = z.enum(severities)

const amount = z
  .string('expected an amount such as "50000.00"')
  .regex(/^\d{1,12}(\.\d{1,2})?$/, 'expected an amount such as "50000.00"')
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
      z.strictObject({ ...always, when: z.literal('value_grows'), classes, moreThan: amount }),
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
