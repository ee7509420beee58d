import { z } from 'zod'
import { classifications } from '../domain/classifications.ts'
import { type Counted, type Rule, severities } from '../domain/rule.ts'
import { addRule, everyRule, RuleRefusal, removeRule, replayRules, switchRule } from '../monitoring/rules.ts'
import { limits } from '../views/fields.ts'
import { backTest, rule, ruleConditions, toBackTestView, toRuleView } from '../views/rule.ts'
import { type Context, defineOperation, id, limitOf } from './operation.ts'

/** The counts that a rule may watch; an amount is always that of a class. */
export const watchable = [...classifications, 'processes'] as const satisfies readonly Counted[]

const newRule = z.strictObject({
  name: z.string().trim().min(1).max(80),
  when: z.enum(ruleConditions),
  severity: z.enum(severities),
  classes: z.array(z.enum(watchable)).default([]).describe('each class is judged by itself; none for radar_removed'),
  moreThanCents: z.int().min(1).max(1e14).optional().describe('for value_grows'),
  by: z.int().min(1).max(1e12).optional().describe('for count_grows'),
  quietDays: z.int().min(0).max(400).default(0).describe('the same figure is not reported again for so long'),
  portfolio: z.string().trim().optional().describe('only for runs of this portfolio'),
})

const allRules = ({ sql, settings }: Context) => everyRule(sql, settings.rules)

const switching = (verb: 'on' | 'off', summary: string) =>
  defineOperation(`switchRule${verb === 'on' ? 'On' : 'Off'}`, 'admin', `POST /rules/{rule}/${verb}`, {
    summary,
    input: z.object({ rule: id }),
    output: z.object({ rule: z.int(), on: z.boolean() }),
    async run({ sql, by, clock }, { rule }) {
      await switchRule(sql, rule, verb === 'on', { by, now: clock() })
      return { rule: Number(rule), on: verb === 'on' }
    },
  })

export const ruleOperations = {
  list: defineOperation('listRules', 'analyst', 'GET /rules', {
    summary: 'The rules: which changes send an alert, and their severity',
    output: z.object({ rules: z.array(rule) }),
    run: async (context) => ({ rules: (await allRules(context)).map(toRuleView) }),
  }),
  test: defineOperation('testRules', 'analyst', 'GET /rules/test', {
    summary: 'The alerts that the rules, including those switched off, would have sent on the last nights',
    input: z.object({ nights: limitOf(limits.backTestNights).describe('how many past nights to test') }),
    output: backTest,
    async run(context, { nights }) {
      const rules = (await allRules(context)).map(({ rule: each }) => each)
      return toBackTestView(await replayRules(context.sql, rules, nights))
    },
  }),
  add: defineOperation('addRule', 'admin', 'POST /rules', {
    summary: 'Adds a rule, switched off: the back-test shows its alerts before anyone receives one',
    input: newRule,
    output: z.object({ name: z.string() }),
    async run({ sql, settings, by, clock }, input) {
      await addRule(sql, settings.rules, toRule(input), { by, now: clock() })
      return { name: input.name }
    },
  }),
  on: switching('on', 'Switches a rule of the page on'),
  off: switching('off', 'Switches a rule of the page off'),
  remove: defineOperation('removeRule', 'admin', 'POST /rules/{rule}/remove', {
    summary: 'Removes a rule of the page',
    input: z.object({ rule: id }),
    output: z.object({ rule: z.int(), removed: z.boolean() }),
    async run({ sql, by, clock }, { rule }) {
      await removeRule(sql, rule, { by, now: clock() })
      return { rule: Number(rule), removed: true }
    },
  }),
}

const toRule = ({ classes, moreThanCents, by, quietDays, portfolio, ...input }: z.output<typeof newRule>): Rule => {
  const { name, severity, when } = input
  const always = { name, severity, quietMs: quietDays * 86_400_000, ...(portfolio && { portfolio }) }
  const amounts = classes.filter((each) => each !== 'processes')
  if (when === 'radar_removed') return { ...always, when }
  if (when === 'appears' && classes.length > 0) return { ...always, when, classes }
  if (when === 'count_grows' && classes.length > 0 && by) return { ...always, when, classes, by }
  if (when === 'value_grows' && amounts.length > 0 && moreThanCents)
    return { ...always, when, classes: amounts, moreThanCents }
  throw new RuleRefusal(['rule_wrong'])
}
