import type { z } from 'zod'
import { readOwnNames } from '../../batches/own-rows.ts'
import { changesCsv, changesHeader } from '../../monitoring/changes-file.ts'
import { readInput } from '../../operations/operation.ts'
import { changeOperations, changesSince, radarOperationsUpTo } from '../../operations/radars.ts'
import { recordAudit } from '../../store/people/audit.ts'
import type { filedChange } from '../../views/change.ts'
import { limits } from '../../views/fields.ts'
import { type CommandDefinition, type CommandGroup, UsageError, whoCalls } from '../command.ts'
import { radarState } from '../lines/person.ts'
import { counted } from '../lines/texts.ts'
import { openContext, openForPeople } from '../open.ts'
import { flagNamed, openActing, operationCommand } from '../operation-command.ts'
import { unmaskedOption } from '../options.ts'
import { sweepOnceAsked, yesToSweep } from '../run-sweep-now.ts'

const operations = radarOperationsUpTo(limits.radars)

const list = operationCommand(operations.list, {
  options: [unmaskedOption],
  examples: [{ line: 'vigia radars list --json', about: 'List the local copy, for a script' }],

  lines({ radars, suspicious }, { at, table }) {
    const shown = table(
      radars,
      [
        ['ORGANIZATION', ({ organization }) => organization, 'right'],
        ['DOCUMENT', ({ document }) => document],
        ['NAME', ({ name }) => name],
        ['STATE', radarState],
        ['LAST LISTED', ({ seenAt }) => at(seenAt)],
      ],
      'No radars yet.',
    )
    const notes = suspicious.map(
      ({ organizationId, reason }) =>
        `The list of ${organizationId} was rejected: ${reason}. If it is correct: vigia radars accept ${organizationId}`,
    )
    return [...notes, shown].join('\n')
  },
})

const sync: CommandDefinition<{ yes?: boolean }> = {
  options: [yesToSweep],
  examples: [{ line: 'vigia radars sync', about: 'Run the nightly sweep now, after approval of its cost' }],

  async run(context, _args, { yes }) {
    await using opened = await openForPeople(context)
    return await sweepOnceAsked(context, opened, 'radars', yes)
  },
}

const listChanges = operationCommand(operations.changes, {
  options: [unmaskedOption],
  examples: [
    { line: 'vigia radars changes', about: 'List what changed in the last seven days, worst first' },
    { line: 'vigia radars changes --since 1d --csv > changes.csv', about: 'Write a CSV for a spreadsheet' },
  ],

  lines: ({ changes: found }, { at, table }) =>
    table(
      found,
      [
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
      ],
      'Nothing changed.',
    ),
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
  examples: [{ line: 'vigia radars acknowledge 4711 --note "spoke to them"', about: 'Acknowledge a change' }],
  lines: ({ change }) => `Change ${change} is acknowledged.`,
})

const snooze = operationCommand(changeOperations.snooze, {
  examples: [
    {
      line: 'vigia radars snooze 4711 --for 30d --note "settlement signed"',
      about: 'Send no alert about this figure for 30 days, unless it gets worse',
    },
  ],
  lines: ({ change, snoozedUntil }, { at }) => `Change ${change} is snoozed until ${at(snoozedUntil)}.`,
})

const accept = operationCommand(operations.accept, {
  examples: [{ line: 'vigia radars accept 7001', about: 'Apply the rejected list, including its removals' }],
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
