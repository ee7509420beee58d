import type { z } from 'zod'
import { readOwnNames } from '../../batches/own-rows.ts'
import { formatPrice } from '../../domain/amount.ts'
import { changesCsv, changesHeader } from '../../monitoring/changes-file.ts'
import { readInput } from '../../operations/operation.ts'
import { changeOperations, changesSince, radarOperationsUpTo } from '../../operations/radars.ts'
import { ruleOperations } from '../../operations/rules.ts'
import { recordAudit } from '../../store/people/audit.ts'
import type { filedChange } from '../../views/change.ts'
import { limits } from '../../views/fields.ts'
import type { RuleShown } from '../../views/rule.ts'
import { type CommandDefinition, type CommandGroup, UsageError, whoCalls } from '../command.ts'
import { radarState } from '../lines/person.ts'
import { counted } from '../lines/texts.ts'
import { openContext, openForPeople } from '../open.ts'
import { openActing, operationCommand } from '../operation-command.ts'
import { flagNamed, limitOption, unmaskedOption } from '../options.ts'
import { sweepOnceAsked, yesToSweep } from './sweeps.ts'

const operations = radarOperationsUpTo(limits.radars)

const list = operationCommand(operations.list, {
  options: [unmaskedOption],
  examples: { 'vigia radars list --json': 'List the local copy, for a script' },

  lines({ radars, suspicious }, { at, table }) {
    const shown = table(radars, 'No radars yet.', [
      ['ORGANIZATION', ({ organization }) => organization, 'right'],
      ['DOCUMENT', ({ document }) => document],
      ['NAME', ({ name }) => name],
      ['STATE', radarState],
      ['LAST LISTED', ({ seenAt }) => at(seenAt)],
    ])
    const notes = suspicious.map(
      ({ organizationId, reason }) =>
        `The list of ${organizationId} was rejected: ${reason}. If it is correct: vigia radars accept ${organizationId}`,
    )
    return [...notes, shown].join('\n')
  },
})

const sync: CommandDefinition<{ yes?: boolean }> = {
  options: [yesToSweep],
  examples: { 'vigia radars sync': 'Run the nightly sweep now, after approval of its cost' },

  async run(context, _args, { yes }) {
    await using opened = await openForPeople(context)
    return await sweepOnceAsked(context, opened, 'radars', yes)
  },
}

const listChanges = operationCommand(operations.changes, {
  options: [unmaskedOption],
  examples: {
    'vigia radars changes': 'List what changed in the last seven days, worst first',
    'vigia radars changes --since 1d --csv > changes.csv': 'Write a CSV for a spreadsheet',
  },

  lines: ({ changes: found }, { at, table }) =>
    table(found, 'Nothing changed.', [
      ['CHANGE', ({ id }) => id, 'right'],
      ['SEEN', ({ seen }) => at(seen)],
      ['DOCUMENT', ({ document }) => document],
      ['NAME', ({ name, file }) => name ?? file?.name],
      ['REF', ({ file }) => file?.ref],
      ['FIELD', ({ field }) => field],
      ['VERDICT', ({ verdict }) => verdict],
      ['BEFORE', ({ before }) => before, 'right'],
      ['AFTER', ({ after }) => after, 'right'],
      ['RULES', rulesText, 'free'],
    ]),
})

const rulesText = ({ rules, acknowledged }: z.output<typeof filedChange>): string =>
  [...rules.map(({ rule }) => rule), ...(acknowledged ? [`✓ ${acknowledged.by}`] : [])].join(', ')

/** `--csv` prints documents in full, so it is audited as a download. */
const changes: CommandDefinition<{ csv?: boolean; since?: string; limit?: string }> = {
  ...listChanges,
  options: [
    ...listChanges.options!,
    { flags: '--csv', about: 'print CSV, as in the file of changes; documents in full' },
  ],

  async run(context, args, { csv, ...options }) {
    if (!csv) return listChanges.run(context, args, options)
    if (context.json) throw new UsageError('--csv and --json exclude each other')
    const asked = readInput(operations.changes, { since: options.since, limit: options.limit }, flagNamed)
    await using opened = await openContext(context.env)
    await using acting = openActing(opened)
    const found = await changesSince(acting.context, asked)
    const ownNames = await readOwnNames(opened.sql, found, true)
    await recordAudit(opened.sql, whoCalls(), 'download', 'changes', { file: 'changes.csv' })
    context.stdout.write(`\uFEFF${changesHeader()}${changesCsv(found, ownNames, opened.settings.timezone)}`)
    return 0
  },
}

const acknowledge = operationCommand(changeOperations.acknowledge, {
  examples: { 'vigia radars acknowledge 4711 --note "spoke to them"': 'Acknowledge a change' },
  lines: ({ change }) => `Change ${change} is acknowledged.`,
})

const snooze = operationCommand(changeOperations.snooze, {
  examples: {
    'vigia radars snooze 4711 --for 30d --note "settlement signed"':
      'Send no alert about this figure for 30 days, unless it gets worse',
  },
  lines: ({ change, snoozedUntil }, { at }) => `Change ${change} is snoozed until ${at(snoozedUntil)}.`,
})

const accept = operationCommand(operations.accept, {
  examples: { 'vigia radars accept 7001': 'Apply the rejected list, including its removals' },
  lines: ({ organization, radars }) => `Organization ${organization} now has ${counted(radars, 'radar')}.`,
})

/** The local copy of the radar list, and what changed. */
export const radarCommands: CommandGroup = {
  commands: [
    { name: 'list', summary: 'list the radars, and rejected lists', load: async () => list },
    { name: 'sync', summary: 'run the radar sweep now', load: async () => sync },
    { name: 'changes', summary: 'list what changed, worst first', load: async () => changes },
    { name: 'acknowledge', summary: 'acknowledge a change', load: async () => acknowledge },
    { name: 'snooze', summary: 'silence alerts about a figure, unless it gets worse', load: async () => snooze },
    { name: 'accept', summary: 'accept a rejected list', load: async () => accept },
  ],
}

const listRules = operationCommand(ruleOperations.list, {
  examples: { 'vigia rules': 'List the rules, and the severity of their alerts' },
  lines: ({ rules: listed }, { table }) =>
    table(listed, 'No rules yet: add them under `rules` in the settings, or on the page.', [
      ['RULE', ({ name }) => name],
      ['SEVERITY', ({ severity }) => severity],
      ['WHEN', whenOf, 'free'],
      ['PORTFOLIO', ({ portfolio }) => portfolio],
      ['QUIET FOR', (rule) => (rule.quietSeconds === 0 ? '–' : `${Math.round(rule.quietSeconds / 3_600)} h`), 'right'],
      ['STATE', ({ on }) => (on ? 'on' : 'off')],
    ]),
})

const whenOf = ({ when, classes, by, moreThanCents }: RuleShown): string => {
  const of = classes.join(' or ')
  if (when === 'radar_removed') return 'a radar is removed'
  if (when === 'appears') return `${of} becomes more than 0`
  if (when === 'count_grows') return `${of} grows by ${by} or more`
  return `${of} grows by more than ${formatPrice({ cents: moreThanCents!, currency: 'BRL' }, 'en')}`
}

const testRules = operationCommand(ruleOperations.test, {
  options: [limitOption(limits.backTestAlerts, 'how many alerts to show')],
  examples: { 'vigia rules test --nights 90': 'List past alerts, including those of rules that are off' },

  lines({ alerts, nights, documents }, { at, table, options: { limit } }) {
    const found = `${counted(alerts.length, 'alert')} in ${counted(nights, 'night')}, on ${counted(documents, 'document')}.`
    const shown = table(alerts.slice(-(limit as number)), '', [
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
  alone: listRules,
  commands: [{ name: 'test', summary: 'test the rules on past nights', load: async () => testRules }],
}
