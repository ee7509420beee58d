import { installationOperations } from '../../operations/installation.ts'
import { openSender } from '../../queue/boss.ts'
import { schemaStatus } from '../../store/migrate.ts'
import type { AlertShown } from '../../views/installation.ts'
import type { CommandDefinition, CommandGroup } from '../command.ts'
import { counted, localMoment, renderTable } from '../lines/texts.ts'
import { openContext } from '../open.ts'
import { operationCommand } from '../operation-command.ts'
import { integerOption } from '../options.ts'

/** The audit log, newest first. */
export const audit = operationCommand(installationOperations.audit, {
  examples: [{ line: 'vigia audit --limit 10', about: 'The last ten actions' }],

  lines({ entries }, { settings: { timezone }, width }) {
    const cells = entries.map(({ id, at, who, what, subject, detail }) => [
      String(id),
      localMoment(at, timezone),
      who,
      what,
      subject,
      JSON.stringify(detail),
    ])
    return renderTable(auditColumns, cells, width)
  },
})

const auditColumns = [
  { title: 'ID', align: 'right' },
  { title: 'WHEN' },
  { title: 'WHO' },
  { title: 'WHAT' },
  { title: 'TO WHAT' },
  { title: 'DETAIL', free: true },
] as const

const listAlerts = operationCommand(installationOperations.alerts, {
  examples: [{ line: 'vigia alerts', about: 'What was sent to whom, and what was not accepted yet' }],

  lines: ({ alerts }, { settings: { timezone }, width }) =>
    alerts.length > 0
      ? renderTable(
          alertColumns,
          alerts.map((alert) => alertCells(alert, timezone)),
          width,
        )
      : 'No notifications yet: `alerts` in the settings sets the addresses.',
})

const alertColumns = [
  { title: 'MADE' },
  { title: 'ABOUT' },
  { title: 'SEVERITY' },
  { title: 'BY' },
  { title: 'TO' },
  { title: 'ACCEPTED' },
  { title: 'TRIES', align: 'right' },
  { title: 'PROBLEM', free: true },
] as const

const alertCells = (alert: AlertShown, timezone: string): string[] => [
  localMoment(alert.made, timezone),
  alert.about,
  alert.severity,
  alert.channel,
  alert.address,
  alert.sent ? localMoment(alert.sent, timezone) : 'not yet',
  String(alert.tries),
  alert.problem ?? '',
]

const testAlerts = operationCommand(installationOperations.testAlerts, {
  examples: [{ line: 'vigia alerts test', about: 'Send a test message to every address; a worker sends it' }],

  lines({ alerts }) {
    const to = alerts.map(({ channel, address }) => `  ${channel}  ${address}`).join('\n')
    return `${counted(alerts.length, 'message')} queued for the workers:\n${to}\nTheir status: 'vigia alerts'`
  },
})

/** The notifications that were sent, and to whom. */
export const alerts: CommandGroup = {
  alone: listAlerts,
  commands: [{ name: 'test', summary: 'send a test message to every address', load: async () => testAlerts }],
}

const listColumns = operationCommand(installationOperations.columns, {
  examples: [],

  lines({ columns: choices }, { settings: { timezone }, width }) {
    const cells = choices.map(({ id, organization, columns: named, headers, by, chosen }) => [
      String(id),
      String(organization),
      Object.entries(named)
        .flatMap(([role, headers]) => [headers].flat().map((header) => `${role}="${header}"`))
        .join(', '),
      localMoment(chosen, timezone),
      by,
      headers.filter(Boolean).join(', '),
    ])
    return choices.length > 0 ? renderTable(choiceColumns, cells, width) : 'No column choices yet.'
  },
})

const choiceColumns = [
  { title: 'N', align: 'right' },
  { title: 'ORGANIZATION' },
  { title: 'CHOSEN' },
  { title: 'WHEN' },
  { title: 'BY' },
  { title: 'HEADERS', free: true },
] as const

const forgetColumns = operationCommand(installationOperations.forgetColumns, {
  examples: [],
  lines: ({ id }) => `Forgot choice ${id}.`,
})

/** The column choices that people made; files with the same headers are read in the same way. */
export const columns: CommandDefinition<{ forget?: number }> = {
  options: [{ flags: '--forget <n>', about: 'forget this choice', parse: integerOption('--forget', 1) }],
  examples: [
    { line: 'vigia columns', about: 'List the choices: headers, and the column of each role' },
    { line: 'vigia columns --forget 3', about: 'Forget a choice' },
  ],
  run: (context, args, { forget }) =>
    forget === undefined ? listColumns.run(context, args, {}) : forgetColumns.run(context, [String(forget)], {}),
}

/** Opening the database migrates its schema, and opening the queues theirs; this command only does and reports that. */
export const migrateDatabase: CommandDefinition = {
  examples: [
    { line: 'vigia migrate', about: 'Migrate the embedded database' },
    {
      line: 'DATABASE_URL=postgres://vigia@db/vigia vigia migrate',
      about: 'Migrate a server, before its workers start',
    },
  ],

  async run(context) {
    await using opened = await openContext(context.env)
    await using _queues = await openSender(opened.settings.databaseDirectUrl ?? opened.databaseUrl, opened.log)
    const { applied } = await schemaStatus(opened.sql)
    context.print({ migrated: opened.migrated, applied }, () =>
      opened.migrated.length > 0
        ? `Applied ${opened.migrated.join(', ')}.`
        : `The schema is current (${applied.length} migrations).`,
    )
    return 0
  },
}
