import type { z } from 'zod'
import { readOwnNames } from '../../batches/own-names.ts'
import { changesCsv, changesHeader } from '../../monitoring/changes-file.ts'
import { acceptRadarList } from '../../monitoring/mirror-radars.ts'
import { changeOperations } from '../../operations/changes.ts'
import { recordAudit } from '../../store/people/audit.ts'
import { type filedChange, listChanges, toFiledChangeView } from '../../views/change.ts'
import { limits } from '../../views/limits.ts'
import { listRadars, readSuspicious, toAcceptedListView, toRadarView } from '../../views/radar.ts'
import type { CommandDefinition, CommandGroup } from '../command.ts'
import { UsageError } from '../command.ts'
import { whoCalls } from '../context.ts'
import { counted, localMoment } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openContext, openForPeople } from '../open.ts'
import { operationCommand } from '../operation-command.ts'
import { integerOption, limitOption, timeSpan, unmaskedOption } from '../options.ts'
import { sweepOnceAsked, yesToSweep } from '../run-sweep-now.ts'

const list: CommandDefinition<{ limit: number; organization?: number; removed?: boolean; unmasked?: boolean }> = {
  options: [
    limitOption(limits.radars),
    { flags: '--organization <id>', about: 'only this organization', parse: integerOption('--organization', 1) },
    { flags: '--removed', about: 'include radars that the registry no longer lists' },
    unmaskedOption,
  ],
  examples: [{ line: 'vigia radars list --json', about: 'List the local copy, for a script' }],

  async run(context, _args, { limit, organization, removed, unmasked }) {
    await using opened = await openContext(context.env)
    const { sql, settings } = opened
    const filter = { limit, listed: !removed, ...(organization && { organizationId: organization }) }
    const radars = (await listRadars(sql, filter)).map((line) => toRadarView(line, unmasked))
    const suspicious = await readSuspicious(sql)
    const rows = radars.map(({ organizationId, document, name, active, removedAt, seenAt }) => [
      String(organizationId),
      document,
      name,
      removedAt ? 'removed' : active ? 'active' : 'inactive',
      localMoment(seenAt, settings.timezone),
    ])
    const notes = suspicious.map(
      ({ organizationId, reason }) =>
        `The list of ${organizationId} was rejected: ${reason}. If it is correct: vigia radars accept ${organizationId}`,
    )
    context.print({ radars, suspicious }, () =>
      [...notes, radars.length > 0 ? renderTable(radarColumns, rows, context.stdout.columns) : 'No radars yet.'].join(
        '\n',
      ),
    )
    return 0
  },
}

const radarColumns = [
  { title: 'ORGANIZATION', align: 'right' },
  { title: 'DOCUMENT' },
  { title: 'NAME' },
  { title: 'STATE' },
  { title: 'LAST LISTED' },
] as const

const sync: CommandDefinition<{ yes?: boolean }> = {
  options: [yesToSweep],
  examples: [{ line: 'vigia radars sync', about: 'Run the nightly sweep now, after approval of its cost' }],

  async run(context, _args, { yes }) {
    await using opened = await openForPeople(context)
    return await sweepOnceAsked(context, opened, 'radars', yes)
  },
}

const changes: CommandDefinition<{ since?: number; limit: number; csv?: boolean; unmasked?: boolean }> = {
  options: [
    { flags: '--since <duration>', about: 'how far back (default: 7d)', parse: timeSpan('--since') },
    limitOption(limits.radars),
    { flags: '--csv', about: 'print CSV, as in the file of changes; documents in full' },
    unmaskedOption,
  ],
  examples: [
    { line: 'vigia radars changes', about: 'List what changed in the last seven days, worst first' },
    { line: 'vigia radars changes --since 1d --csv > changes.csv', about: 'Write a CSV for a spreadsheet' },
  ],

  async run(context, _args, { since = 7 * 86_400_000, limit, csv, unmasked }) {
    if (csv && context.json) throw new UsageError('--csv and --json exclude each other')
    await using opened = await openContext(context.env)
    const { timezone } = opened.settings
    const found = await listChanges(opened.sql, { since: new Date(Date.now() - since), limit })
    const ownNames = await readOwnNames(opened.sql, found, csv || unmasked)
    if (csv) {
      await recordAudit(opened.sql, whoCalls(), 'download', 'changes', { file: 'changes.csv' })
      context.stdout.write(`\uFEFF${changesHeader()}${changesCsv(found, ownNames, timezone)}`)
      return 0
    }
    const shown = found.map((line) => toFiledChangeView(line, ownNames(line), unmasked))
    const rows = shown.map((change) => changeCells(change, timezone))
    context.print({ changes: shown }, () =>
      rows.length > 0 ? renderTable(changeColumns, rows, context.stdout.columns) : 'Nothing changed.',
    )
    return 0
  },
}

const changeColumns = [
  { title: 'CHANGE', align: 'right' },
  { title: 'SEEN' },
  { title: 'DOCUMENT' },
  { title: 'NAME' },
  { title: 'REF' },
  { title: 'FIELD' },
  { title: 'VERDICT' },
  { title: 'BEFORE', align: 'right' },
  { title: 'AFTER', align: 'right' },
  { title: 'RULES', free: true },
] as const

const changeCells = (
  { id, seen, document, name, file, field, verdict, before, after, rules, acknowledged }: z.output<typeof filedChange>,
  timezone: string,
): string[] => [
  String(id),
  localMoment(seen, timezone),
  document,
  name ?? file?.name ?? '',
  file?.ref ?? '',
  field,
  verdict,
  before ?? '',
  after ?? '',
  [...rules.map(({ rule }) => rule), ...(acknowledged ? [`✓ ${acknowledged.by}`] : [])].join(', '),
]

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
  lines: ({ change, snoozedUntil }, { settings: { timezone } }) =>
    `Change ${change} is snoozed until ${localMoment(snoozedUntil, timezone)}.`,
})

const accept: CommandDefinition = {
  arguments: [{ name: '<organization>', about: 'the organization whose rejected list is correct' }],
  examples: [{ line: 'vigia radars accept 7001', about: 'Apply the rejected list, including its removals' }],

  async run(context, [text]) {
    const organizationId = integerOption('accept', 1)(text!)
    await using opened = await openContext(context.env)
    const tools = { sql: opened.sql, settings: opened.settings, clock: opened.clock }
    const radars = await acceptRadarList(tools, { organizationId, by: whoCalls() })
    context.print(
      toAcceptedListView(organizationId, radars),
      () => `Organization ${organizationId} now has ${counted(radars, 'radar')}.`,
    )
    return 0
  },
}

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
