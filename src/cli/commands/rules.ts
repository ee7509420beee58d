import { formatPrice } from '../../domain/amount.ts'
import { ruleOperations } from '../../operations/rules.ts'
import { limits } from '../../views/fields.ts'
import type { BackTestShown, RuleShown } from '../../views/rule.ts'
import type { CommandGroup } from '../command.ts'
import { counted, localMoment, renderTable } from '../lines/texts.ts'
import { operationCommand } from '../operation-command.ts'
import { limitOption } from '../options.ts'

const list = operationCommand(ruleOperations.list, {
  examples: [{ line: 'vigia rules', about: 'List the rules, and the severity of their alerts' }],
  lines: ({ rules }, { width }) => (rules.length > 0 ? renderTable(ruleColumns, rules.map(ruleCells), width) : noRules),
})

const noRules = 'No rules yet: add them under `rules` in the settings, or on the page.'

const ruleColumns = [
  { title: 'RULE' },
  { title: 'SEVERITY' },
  { title: 'WHEN', free: true },
  { title: 'PORTFOLIO' },
  { title: 'QUIET FOR', align: 'right' },
  { title: 'STATE' },
] as const

const ruleCells = (rule: RuleShown): string[] => [
  rule.name,
  rule.severity,
  whenOf(rule),
  rule.portfolio ?? '',
  rule.quietSeconds === 0 ? '–' : `${Math.round(rule.quietSeconds / 3_600)} h`,
  rule.on ? 'on' : 'off',
]

const whenOf = ({ when, classes, by, moreThanCents }: RuleShown): string => {
  const of = classes.join(' or ')
  if (when === 'radar_removed') return 'a radar is removed'
  if (when === 'appears') return `${of} becomes more than 0`
  if (when === 'count_grows') return `${of} grows by ${by} or more`
  return `${of} grows by more than ${formatPrice({ cents: moreThanCents!, currency: 'BRL' }, 'en')}`
}

const test = operationCommand(ruleOperations.test, {
  options: [limitOption(limits.backTestAlerts, 'how many alerts to show')],
  examples: [
    { line: 'vigia rules test --nights 90', about: 'List past alerts, including those of rules that are off' },
  ],

  lines({ alerts, nights, documents }, { settings, width, options: { limit } }) {
    const shown = alerts.slice(-(limit as number))
    const cells = shown.map(({ night, ...alert }) => [localMoment(night, settings.timezone), ...cellsOf(alert)])
    return [
      `${counted(alerts.length, 'alert')} in ${counted(nights, 'night')}, on ${counted(documents, 'document')}.`,
      ...(cells.length > 0 ? [renderTable(alertColumns, cells, width)] : []),
    ].join('\n')
  },
})

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
