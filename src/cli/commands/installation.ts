import { installationOperations } from '../../operations/installation.ts'
import { openSender } from '../../queue/boss.ts'
import { schemaStatus } from '../../store/migrate.ts'
import type { CommandDefinition, CommandGroup } from '../command.ts'
import { counted } from '../lines/texts.ts'
import { openContext } from '../open.ts'
import { operationCommand } from '../operation-command.ts'
import { integerOption } from '../options.ts'

/** The audit log, newest first. */
export const audit = operationCommand(installationOperations.audit, {
  examples: [{ line: 'vigia audit --limit 10', about: 'The last ten actions' }],
  lines: ({ entries }, { at, table }) =>
    table(entries, [
      ['ID', ({ id }) => id, 'right'],
      ['WHEN', (entry) => at(entry.at)],
      ['WHO', ({ who }) => who],
      ['WHAT', ({ what }) => what],
      ['TO WHAT', ({ subject }) => subject],
      ['DETAIL', ({ detail }) => JSON.stringify(detail), 'free'],
    ]),
})

const listAlerts = operationCommand(installationOperations.alerts, {
  examples: [{ line: 'vigia alerts', about: 'What was sent to whom, and what was not accepted yet' }],
  lines: ({ alerts }, { at, table }) =>
    table(
      alerts,
      [
        ['MADE', ({ made }) => at(made)],
        ['ABOUT', ({ about }) => about],
        ['SEVERITY', ({ severity }) => severity],
        ['BY', ({ channel }) => channel],
        ['TO', ({ address }) => address],
        ['ACCEPTED', ({ sent }) => (sent ? at(sent) : 'not yet')],
        ['TRIES', ({ tries }) => tries, 'right'],
        ['PROBLEM', ({ problem }) => problem, 'free'],
      ],
      'No notifications yet: `alerts` in the settings sets the addresses.',
    ),
})

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
  lines: ({ columns: choices }, { at, table }) =>
    table(
      choices,
      [
        ['N', ({ id }) => id, 'right'],
        ['ORGANIZATION', ({ organization }) => organization],
        ['CHOSEN', (choice) => chosenColumns(choice.columns)],
        ['WHEN', ({ chosen }) => at(chosen)],
        ['BY', ({ by }) => by],
        ['HEADERS', ({ headers }) => headers.filter(Boolean).join(', '), 'free'],
      ],
      'No column choices yet.',
    ),
})

const chosenColumns = (named: Record<string, string | string[]>): string =>
  Object.entries(named)
    .flatMap(([role, headers]) => [headers].flat().map((header) => `${role}="${header}"`))
    .join(', ')

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
