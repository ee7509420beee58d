import { z } from 'zod'
import { type Met, type Rule, type Seen, severities } from '../domain/rule.ts'
import { maskedDocument, moment, toView } from './fields.ts'

/** The conditions of a rule, in the order of the form. */
export const ruleConditions = ['value_grows', 'count_grows', 'appears', 'radar_removed'] as const

/** A rule of the settings, or of the page. */
export const rule = z.object({
  name: z.string(),
  severity: z.enum(severities),
  when: z.enum(ruleConditions),
  classes: z.array(z.string()).describe('each class is judged by itself; empty for radar_removed'),
  moreThanCents: z.int().nullable(),
  by: z.int().nullable(),
  quietSeconds: z.number(),
  portfolio: z.string().nullable().describe('applies only to runs of this portfolio; null: applies to everything'),
  on: z.boolean().describe('a rule that is off is used by the back-test only'),
  from: z.enum(['settings', 'page']),
})

export type RuleShown = z.output<typeof rule>

/** `id` is set for a rule of the page. */
type Kept = { rule: Rule; isOn: boolean; id: bigint | null }

export const toRuleView = ({ rule: of, isOn, id }: Kept): RuleShown => ({
  name: of.name,
  severity: of.severity,
  when: of.when,
  classes: of.when === 'radar_removed' ? [] : [...of.classes],
  moreThanCents: of.when === 'value_grows' ? of.moreThanCents : null,
  by: of.when === 'count_grows' ? of.by : null,
  quietSeconds: of.quietMs / 1_000,
  portfolio: of.portfolio ?? null,
  on: isOn,
  from: id === null ? 'settings' : 'page',
})

const pastAlert = z.object({
  night: moment,
  document: maskedDocument,
  field: z.string(),
  verdict: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  rule: z.string(),
  severity: z.enum(severities),
})

/** The alerts that rules would have sent on past nights. */
export const backTest = z.object({
  nights: z.int().describe('how many were replayed; fewer than requested if there are no more'),
  documents: z.int(),
  alerts: z.array(pastAlert.extend({ sweep: z.int(), organization: z.int() })),
})
export type BackTestShown = z.output<typeof backTest>

type PastAlert = Seen & Met & { sweepId: bigint; night: Date }

export const toBackTestView = ({ nights, alerts }: { nights: number; alerts: PastAlert[] }): BackTestShown => ({
  nights,
  documents: new Set(alerts.map(({ organizationId, document }) => `${organizationId} ${document}`)).size,
  alerts: alerts.map((each) => ({
    ...toView(pastAlert, each),
    sweep: Number(each.sweepId),
    organization: Number(each.organizationId),
  })),
})
