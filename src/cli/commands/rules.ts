import { formatPrice } from '../../domain/amount.ts'
import type { Rule } from '../../domain/rule.ts'
import { everyRule, type KeptRule } from '../../monitoring/keep-rules.ts'
import { replayRules } from '../../monitoring/replay-rules.ts'
import { limits } from '../../views/limits.ts'
import { type BackTestShown, toBackTestView, toRuleView } from '../../views/rule.ts'
import type { CommandDefinition, CommandGroup } from '../command.ts'
import { counted, localMoment } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openContext } from '../open.ts'
import { limitOption } from '../options.ts'

const list: CommandDefinition = {
  examples: [{ line: 'vigia rules', about: 'List the rules, and the severity of their alerts' }],

  async run(context) {
    await using opened = await openContext(context.env)
    const rules = await everyRule(opened.sql, opened.settings.rules)
    context.print({ rules: rules.map(toRuleView) }, () =>
      rules.length > 0 ? renderTable(ruleColumns, rules.map(ruleCells), context.stdout.columns) : noRules,
    )
    return 0
  },
}

const noRules = 'No rules yet: add them under `rules` in the settings, or on the page.'

const ruleColumns = [
  { title: 'RULE' },
  { title: 'SEVERITY' },
  { title: 'WHEN', free: true },
  { title: 'PORTFOLIO' },
  { title: 'QUIET FOR', align: 'right' },
  { title: 'STATE' },
] as const

const ruleCells = ({ rule, isOn }: KeptRule): string[] => [
  rule.name,
  rule.severity,
  whenOf(rule),
  rule.portfolio ?? '',
  quietOf(rule),
  isOn ? 'on' : 'off',
]

const whenOf = (rule: Rule): string => {
  if (rule.when === 'radar_removed') return 'a radar is removed'
  const of = rule.classes.join(' or ')
  if (rule.when === 'appears') return `${of} becomes more than 0`
  if (rule.when === 'count_grows') return `${of} grows by ${rule.by} or more`
  return `${of} grows by more than ${formatPrice({ cents: rule.moreThanCents, currency: 'BRL' }, 'en')}`
}

const quietOf = ({ quietMs }: Rule): string => (quietMs === 0 ? '–' : `${Math.round(quietMs / 3_600_000)} h`)

const test: CommandDefinition<{ nights: number; limit: number }> = {
  options: [
    limitOption(limits.backTestNights, 'how many past nights to test', '--nights <n>'),
    limitOption(limits.backTestAlerts, 'how many alerts to show'),
  ],
  examples: [
    { line: 'vigia rules test --nights 90', about: 'List past alerts, including those of rules that are off' },
  ],

  async run(context, _args, { nights, limit }) {
    await using opened = await openContext(context.env)
    const { settings, sql } = opened
    const rules = (await everyRule(sql, settings.rules)).map(({ rule }) => rule)
    const found = toBackTestView(await replayRules(sql, rules, nights))
    const shown = found.alerts.slice(-limit)
    const cells = shown.map(({ night, ...alert }) => [localMoment(night, settings.timezone), ...cellsOf(alert)])
    context.print(found, () =>
      [
        `${counted(found.alerts.length, 'alert')} in ${counted(found.nights, 'night')}, on ${counted(found.documents, 'document')}.`,
        ...(cells.length > 0 ? [renderTable(alertColumns, cells, context.stdout.columns)] : []),
      ].join('\n'),
    )
    return 0
  },
}

const cellsOf = (alert: Omit<BackTestShown['alerts'][number], 'night'>): string[] => [
  alert.severity,
  alert.rule,
  alert.document,
  alert.field,
  alert.before ?? '',
  alert.after ?? '',
]

const alertColumns = [
  { title: 'NIGHT' },
  { title: 'SEVERITY' },
  { title: 'RULE' },
  { title: 'DOCUMENT' },
  { title: 'FIELD' },
  { title: 'BEFORE', align: 'right' },
  { title: 'AFTER', align: 'right' },
] as const

/** The rules, and the alerts that they would have sent. */
export const rules: CommandGroup = {
  alone: list,
  commands: [{ name: 'test', summary: 'test the rules on past nights', load: async () => test }],
}
