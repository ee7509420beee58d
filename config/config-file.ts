import { z } from 'zod'
import { type Kind, kinds } from '../src/domain/kind.ts'
import { legalBases, longestPurpose } from '../src/domain/purpose.ts'
import { analysisTriggers } from '../src/domain/sweep.ts'
import { type Language, languages } from '../src/messages/languages.ts'
import { durationSetting, ruleSetting, severity, unitPrice } from './setting-values.ts'

const span = durationSetting.refine((ms) => ms > 0, 'expected a duration longer than zero')
const units = z.int().min(0).nullable()
const cron = z.string().refine(isCron, 'expected a schedule of five fields such as "0 2 * * *"').nullable()
const webAddress = z
  .string()
  .refine(isWebAddress, 'expected an address starting with https:// (or http:// on a trusted network)')
const mailAddress = z
  .string()
  .regex(/^(?:[^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'expected an address such as "ops@example.com"')
const from = severity.default('info')
const chat = z.strictObject({ url: webAddress, severity: from }).nullable()

const organization = z.strictObject({
  name: z.string().min(1).optional().describe('its name in reports and on the page'),
  organizationId: z.int().min(1),
  holderId: z.int().min(1),
  planId: z.int().min(1),
})

/** What an operator may write in JSON; `default.json` gives every key a value, so an overlay may leave out any. */
export const configFile = z.strictObject({
  $schema: z.string().optional(),
  timezone: z
    .string()
    .refine(isTimezone, 'expected a time zone such as "America/Sao_Paulo"')
    .describe('of schedules, days and times in reports'),
  organizations: z.array(organization).describe('more organizations beside the one in the environment'),
  concurrency: z.strictObject({
    worker: z.int().min(1).max(1000).describe('open requests of one process'),
    fleet: z.int().min(1).max(10_000).describe('open requests of all workers on the database together'),
  }),
  request: overridable({
    timeout: span.describe(
      'time-out of a call, from the first byte sent to the last received; the list of analyses has this long for each piece, and 20 times as long in total',
    ),
    retries: z.int().min(0).max(100).describe('how often a call that is safe to repeat is retried'),
    maxBodyBytes: z.int().min(1024).describe('largest answer; a larger one is a transport error'),
  }),
  polling: overridable({
    first: span.describe('wait before an answer that does not come at once is first polled'),
    max: span.describe('longest wait between two polls'),
    deadline: span.describe('when a look-up that is still waiting ends as timed_out'),
  }),
  freshness: z
    .strictObject({
      analysis: durationSetting.describe('for an answer that was paid for'),
      cnh: durationSetting.describe('for an answer that was paid for'),
      scr: durationSetting.describe('for a free answer'),
      processes: durationSetting.describe('for a free answer'),
      radar: durationSetting.optional(),
      inactivation: durationSetting.optional(),
    })
    .describe('how long an answer is reused, free of charge'),
  purchases: overridable({
    adopt: z
      .boolean()
      .describe(
        'whether purchases that the organization made elsewhere are adopted instead of bought again; after a restored backup they always are',
      ),
    maxAge: durationSetting.describe('oldest snapshot of the registry’s list that may be used for a purchase'),
    listLag: durationSetting.describe('how long a purchase may be missing from the registry’s list'),
  }),
  budget: z.strictObject({
    perDay: units.describe('paid calls per day, of all organizations and workers together; null: no limit'),
    perBatch: units.describe('paid calls per batch; null: no limit'),
    confirmAbove: units.describe('a batch with more paid calls needs approval (`vigia confirm`); null: never'),
    unitPrice: unitPrice.nullable().describe('price of one paid call, to show amounts beside units; null: unknown'),
  }),
  language: z
    .enum(Object.keys(languages) as [Language, ...Language[]])
    .describe('of headers and labels in workbooks, and of details in CSV files, unless a batch has its own'),
  import: z.strictObject({
    maxRejectShare: z.number().min(0).max(1).describe('a file with a larger share of rejects is not started'),
    settle: durationSetting.describe('how long a file in the inbox must be unchanged before it is imported'),
  }),
  sweeps: z
    .strictObject({
      radars: cron.describe('checks every monitored document'),
      unfinished: cron.describe('finds stalled work and resumes it'),
      usage: cron.describe('reconciles the registry’s counts with our records'),
      purge: cron.describe('deletes what is older than `retention` allows'),
    })
    .describe('minute hour day month weekday, in the time zone above; null disables one'),
  radarSweep: z.strictObject({
    refresh: z.enum(['processes', 'none']).describe('what is checked for each active radar every night; none: nothing'),
    analysisEvery: span.nullable().describe('age at which a radar gets a new analysis (paid); null: never'),
    analysisOn: z
      .enum(analysisTriggers)
      .describe(
        'what buys a new analysis: `change` (a free figure of the radar moved), `age`, or `both`; without `analysisEvery`, only `change` buys',
      ),
    businessDaysOnly: z
      .boolean()
      .describe('leave out weekends, Brazil’s national holidays, Carnival, Good Friday and Corpus Christi'),
  }),
  analysis: z.strictObject({
    waitForProtest: z
      .boolean()
      .describe(
        'wait until protests were searched too, until `polling.deadline`; otherwise they may read *not searched*',
      ),
  }),
  scr: z.strictObject({
    requireAuthorization: z
      .boolean()
      .describe('reject SCR rows without the person’s consent in the column `autorizacao`'),
  }),
  purpose: z.strictObject({
    default: z
      .string()
      .max(longestPurpose)
      .nullable()
      .describe(
        `purpose of batches and portfolios that name none: a legal basis (${legalBases.map((name) => `\`${name}\``).join(', ')}), a text, or \`basis: text\``,
      ),
    required: z.boolean().describe('refuse files and portfolios without a purpose, where `default` is null'),
  }),
  rules: z.array(ruleSetting).describe('which changes raise an alert, and its severity; see docs/analyst.md'),
  alerts: z.strictObject({
    webhook: webAddress.nullable().describe('receives every event; needs VIGIA_WEBHOOK_SECRET'),
    email: z
      .strictObject({ from: mailAddress, to: z.array(mailAddress).min(1), severity: from })
      .nullable()
      .describe(
        '`{ "from": A, "to": [A, …], "severity": "info" }`: who receives mails, and the lowest severity; needs SMTP_URL',
      ),
    slack: chat.describe('`{ "url": U, "severity": "info" }`: an incoming webhook of Slack'),
    teams: chat.describe('the same for Teams: a Workflows address that accepts Adaptive Cards'),
    allowPrivate: z.boolean().describe('whether these addresses may point into a private network'),
  }),
  retention: z.strictObject({
    batches: span.describe('age at which a finished batch and its files are deleted'),
    lookups: span.describe('age at which an answer is deleted'),
    unconfirmed: span.describe(
      'age at which a batch that nobody approved is deleted, with its file and rows, and a rejected file of the inbox',
    ),
  }),
  registry: z.strictObject({
    radarSort: z
      .strictObject({ parameter: z.string().min(1), order: z.enum(['ASC', 'DESC', 'asc', 'desc']) })
      .nullable()
      .describe('query parameter that sorts the radar list; the interface does not show its name'),
    scrPlanId: z
      .strictObject({ in: z.enum(['header', 'query']), name: z.string().min(1) })
      .nullable()
      .describe('where SCR look-ups carry the planId; the interface does not show it'),
    list: z
      .strictObject({
        shows: z.enum(['everything', 'newest']),
        order: z.enum(['bought', 'any']).optional(),
        lag: durationSetting.optional(),
      })
      .nullable()
      .describe(
        'what the purchase list shows, if you know: `{ "shows": "everything" | "newest", "order": "bought" | "any", "lag": D }`; `vigia doctor` proposes it',
      ),
  }),
  web: z.strictObject({
    maxUploadBytes: z.int().min(1).describe('largest file that the page accepts'),
    publicUrl: webAddress
      .nullable()
      .describe('address at which people open the page, such as https://vigia.example.com: messages link to it'),
  }),
})

export type ConfigFile = z.output<typeof configFile>

/** Settings for every kind, which may be changed for one kind under its name. */
function overridable<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const override = z.strictObject(shape).partial().optional()
  const overrides = Object.fromEntries(kinds.map((kind) => [kind, override])) as Record<Kind, typeof override>
  return z.strictObject({ ...shape, ...overrides })
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.includes('/') || name === 'UTC'
  } catch {
    return false
  }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

const ranges: readonly (readonly [low: number, high: number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
]

/** Whether a text is a schedule of five fields: minute, hour, day of the month, month, day of the week. */
export function isCron(text: string): boolean {
  const fields = text.trim().split(/\s+/)
  return fields.length === ranges.length && fields.every((field, index) => isField(field, ranges[index]!))
}

/** A field is a list of `*`, `7` or `1-5`, each with a step such as `/10` if wanted. */
function isField(field: string, [low, high]: readonly [number, number]): boolean {
  return field.split(',').every((part) => {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part)
    if (!match) return false
    const [from = low, to = from, step = 1] = match.slice(1).map((number) => (number ? Number(number) : undefined))
    return from >= low && to <= high && from <= to && step >= 1
  })
}
