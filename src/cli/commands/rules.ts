import { formatPrice } from '../../domain/amount.ts'
import { ruleOperations } from '../../operations/rules.ts'
import { limits } from '../../views/fields.ts'
import type { RuleShown } from '../../views/rule.ts'
import type { CommandGroup } from '../command.ts'
import { counted } from '../lines/texts.ts'
import { operationCommand } from '../operation-command.ts'
import { limitOption } from '../options.ts'

const list = operationCommand(ruleOperations.list, {
  examples: [{ line: 'vigia rules', about: 'List the rules, and the severity of their alerts' }],
  lines: ({ rules: listed }, { table }) =>
    table(
      listed,
      [
        ['RULE', ({ name }) => name],
        ['SEVERITY', ({ severity }) => severity],
        ['WHEN', whenOf, 'free'],
        ['PORTFOLIO', ({ portfolio }) => portfolio],
        [
          'QUIET FOR',
          (rule) => (rule.quietSeconds === 0 ? '–' : `${Math.round(rule.quietSeconds / 3_600)} h`),
          'right',
        ],
        ['STATE', ({ on }) => (on ? 'on' : 'off')],
      ],
      'No rules yet: add them under `rules` in the settings, or on the page.',
    ),
})

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

  lines({ alerts, nights, documents }, { at, table, options: { limit } }) {
    const found = `${counted(alerts.length, 'alert')} in ${counted(nights, 'night')}, on ${counted(documents, 'document')}.`
    const shown = table(alerts.slice(-(limit as number)), [
      ['NIGHT', ({ night }) => at(night)],
      ['SEVERITY', ({ severity }) => severity],
      ['RULE', ({ rule }) => rule],
      ['DOCUMENT', ({ document }) => document],
      ['FIELD', ({ field }) => field],
      ['BEFORE', ({ before }) => before, 'right'],
      ['AFTER', ({ after }) => after, 'right'],
    ])
    return [found, shown].filter(Boolean).join('\n')
  },
})

/** The rules, and the alerts that they would have sent. */
export const rules: CommandGroup = {
  alone: list,
  commands: [{ name: 'test', summary: 'test the rules on past nights', load: async () => test }],
}
