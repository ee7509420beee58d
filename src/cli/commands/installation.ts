import { installationOperations } from '../../operations/installation.ts'
import { laneOperations } from '../../operations/lanes.ts'
import { operatorOperations } from '../../operations/operators.ts'
import { openSender } from '../../queue/boss.ts'
import { schemaStatus } from '../../store/migrate.ts'
import { splitLane } from '../../views/incident.ts'
import type { CommandDefinition, CommandGroup } from '../command.ts'
import { counted } from '../lines/texts.ts'
import { openContext } from '../open.ts'
import { operationCommand } from '../operation-command.ts'
import { integerOption } from '../options.ts'

/** The audit log, newest first. */
export const audit = operationCommand(installationOperations.audit, {
  examples: { 'vigia audit --limit 10': 'The last ten actions' },
  lines: ({ entries }, { at, table }) =>
    table(entries, '', [
      ['ID', ({ id }) => id, 'right'],
      ['WHEN', (entry) => at(entry.at)],
      ['WHO', ({ who }) => who],
      ['WHAT', ({ what }) => what],
      ['TO WHAT', ({ subject }) => subject],
      ['DETAIL', ({ detail }) => JSON.stringify(detail), 'free'],
    ]),
})

const listAlerts = operationCommand(installationOperations.alerts, {
  examples: { 'vigia alerts': 'What was sent to whom, and what was not accepted yet' },
  lines: ({ alerts }, { at, table }) =>
    table(alerts, 'No notifications yet: `alerts` in the settings sets the addresses.', [
      ['MADE', ({ made }) => at(made)],
      ['ABOUT', ({ about }) => about],
      ['SEVERITY', ({ severity }) => severity],
      ['BY', ({ channel }) => channel],
      ['TO', ({ address }) => address],
      ['ACCEPTED', ({ sent }) => (sent ? at(sent) : 'not yet')],
      ['TRIES', ({ tries }) => tries, 'right'],
      ['PROBLEM', ({ problem }) => problem, 'free'],
    ]),
})

const testAlerts = operationCommand(installationOperations.testAlerts, {
  examples: { 'vigia alerts test': 'Send a test message to every address; a worker sends it' },

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
  examples: {},
  lines: ({ columns: choices }, { at, table }) =>
    table(choices, 'No column choices yet.', [
      ['N', ({ id }) => id, 'right'],
      ['ORGANIZATION', ({ organization }) => organization],
      ['CHOSEN', (choice) => chosenColumns(choice.columns)],
      ['WHEN', ({ chosen }) => at(chosen)],
      ['BY', ({ by }) => by],
      ['HEADERS', ({ headers }) => headers.filter(Boolean).join(', '), 'free'],
    ]),
})

const chosenColumns = (named: Record<string, string | string[]>): string =>
  Object.entries(named)
    .flatMap(([role, headers]) => [headers].flat().map((header) => `${role}="${header}"`))
    .join(', ')

const forgetColumns = operationCommand(installationOperations.forgetColumns, {
  examples: {},
  lines: ({ id }) => `Forgot choice ${id}.`,
})

/** The column choices that people made; files with the same headers are read in the same way. */
export const columns: CommandDefinition<{ forget?: number }> = {
  options: [integerOption('--forget <n>', 'forget this choice', 1)],
  examples: {
    'vigia columns': 'List the choices: headers, and the column of each role',
    'vigia columns --forget 3': 'Forget a choice',
  },
  run: (context, args, { forget }) =>
    forget === undefined ? listColumns.run(context, args, {}) : forgetColumns.run(context, [String(forget)], {}),
}

/** Opening the database migrates its schema, and opening the queues theirs; this command only does and reports that. */
export const migrateDatabase: CommandDefinition = {
  examples: {
    'vigia migrate': 'Migrate the embedded database',
    'DATABASE_URL=postgres://vigia@db/vigia vigia migrate': 'Migrate a server, before its workers start',
  },

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

/** The held lanes, and why they are held. */
export const lanes = operationCommand(laneOperations.list, {
  examples: { 'vigia lanes': 'List held lanes, since when, and why' },
  lines: ({ held }, { at, table }) =>
    table(held, 'No lane is held.', [
      ['LANE', (hold) => hold.lane],
      ['CAUSE', ({ cause }) => cause],
      ['SINCE', ({ since }) => at(since)],
      ['NEXT TRY', ({ nextTry }) => at(nextTry)],
      ['WHY', ({ detail }) => detail, 'free'],
    ]),
})

const ofLane = {
  arguments: [{ name: '<lane>', about: 'organization/kind, such as 7001/analysis' }],
  inputOf: ([text = '']: string[]) => splitLane(text),
}

const holdLane = operationCommand(laneOperations.hold, {
  ...ofLane,
  examples: { 'vigia lane hold 7001/analysis --reason "contract under review"': 'Send nothing more in this lane' },
  lines: ({ lane, reason }) => `Lane ${lane} is held: ${reason}`,
})

const resumeLane = operationCommand(laneOperations.resume, {
  ...ofLane,
  examples: { 'vigia lane resume 7001/analysis': 'Resume it, whatever held it' },
  lines: ({ lane }) => `Lane ${lane} is resumed.`,
})

/** Holds a lane by hand, or resumes it. */
export const lane: CommandGroup = {
  commands: [
    { name: 'hold', summary: 'hold a lane: send nothing more in it', load: async () => holdLane },
    { name: 'resume', summary: 'resume a lane, whatever holds it', load: async () => resumeLane },
  ],
}

const ofOperator = {
  arguments: [{ name: '<name>', about: 'who it is, as shown in the audit log' }],
  inputOf: ([name]: string[]) => ({ name }),
}

const add = operationCommand(operatorOperations.add, {
  ...ofOperator,
  flags: ['role', 'organization', 'expires'],
  examples: {
    'vigia operator add ana --role ops': 'Ana submits files and manages batches',
    'vigia operator add bruno --role analyst': 'Bruno reads and downloads',
    'vigia operator add carla --role ops --organization 7001 --expires 90d':
      'Carla works for organization 7001 only, and needs a new token in 90 days',
  },
  lines: ({ name, token }) => `${name} signs in with this token, which is not shown again:\n\n  ${token}\n`,
})

const list = operationCommand(operatorOperations.list, {
  examples: { 'vigia operator list': 'List who may use the page' },
  lines: ({ operators }, { at, table }) =>
    table(operators, 'No operators: `vigia worker` prints a sign-in link for this machine.', [
      ['NAME', ({ name }) => name],
      ['ROLE', ({ role }) => role],
      ['ORGANIZATIONS', ({ organizations }) => organizations?.join(', ') ?? 'all'],
      ['EXPIRES', ({ expires }) => (expires ? at(expires) : 'never')],
      ['ADDED', ({ added }) => at(added)],
    ]),
})

const remove = operationCommand(operatorOperations.remove, {
  ...ofOperator,
  flags: [],
  examples: { 'vigia operator remove ana': 'End her token and her sessions at once' },
  lines: ({ name }) => `${name} can no longer sign in.`,
})

/** The people who use the page from other machines, or under their own name. */
export const operator: CommandGroup = {
  commands: [
    { name: 'add', summary: 'add an operator; shows their token once', load: async () => add },
    { name: 'list', summary: 'list the operators', load: async () => list },
    { name: 'remove', summary: 'remove an operator; ends their token and sessions', load: async () => remove },
  ],
}
