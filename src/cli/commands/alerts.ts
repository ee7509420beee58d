import { notifyPeople } from '../../monitoring/notify-people.ts'
import { type AlertShown, listAlerts } from '../../views/alert.ts'
import { limits } from '../../views/limits.ts'
import { type CommandDefinition, CommandFailure, type CommandGroup } from '../command.ts'
import { whoCalls } from '../context.ts'
import { counted, localMoment } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openContext } from '../open.ts'
import { openQueues } from '../open-queues.ts'
import { limitOption } from '../options.ts'

const list: CommandDefinition<{ limit: number }> = {
  options: [limitOption(limits.alerts)],
  examples: [{ line: 'vigia alerts', about: 'What was sent to whom, and what was not accepted yet' }],

  async run(context, _args, { limit }) {
    await using opened = await openContext(context.env)
    const { sql, settings } = opened
    const alerts = await listAlerts(sql, limit)
    const cells = alerts.map((alert) => cellsOf(alert, settings.timezone))
    context.print({ alerts }, () =>
      cells.length > 0
        ? renderTable(columns, cells, context.stdout.columns)
        : 'No notifications yet: `alerts` in the settings sets the addresses.',
    )
    return 0
  },
}

const columns = [
  { title: 'MADE' },
  { title: 'ABOUT' },
  { title: 'SEVERITY' },
  { title: 'BY' },
  { title: 'TO' },
  { title: 'ACCEPTED' },
  { title: 'TRIES', align: 'right' },
  { title: 'PROBLEM', free: true },
] as const

const cellsOf = (alert: AlertShown, timezone: string): string[] => [
  localMoment(alert.made, timezone),
  alert.about,
  alert.severity,
  alert.channel,
  alert.address,
  alert.sent ? localMoment(alert.sent, timezone) : 'not yet',
  String(alert.tries),
  alert.problem ?? '',
]

const test: CommandDefinition = {
  examples: [{ line: 'vigia alerts test', about: 'Send a test message to every address; a worker sends it' }],

  async run(context) {
    await using opened = await openContext(context.env)
    const { sql, settings, clock } = opened
    await using sender = await openQueues(opened)
    const now = clock()
    const event = {
      key: `test ${now.toISOString()}`,
      about: 'test',
      severity: 'critical' as const,
      body: { by: whoCalls() },
    }
    const notified = await notifyPeople({ sql, boss: sender.boss, settings, clock: () => now }, event)
    if (!notified) throw new CommandFailure('No address is set: add one under `alerts` in the settings.')
    const sent = (await listAlerts(sql, 100)).filter(({ made }) => made === now.toISOString())
    context.print({ alerts: sent }, () => {
      const to = sent.map(({ channel, address }) => `  ${channel}  ${address}`).join('\n')
      return `${counted(sent.length, 'message')} queued for the workers:\n${to}\nTheir status: 'vigia alerts'`
    })
    return 0
  },
}

/** The notifications that were sent, and to whom. */
export const alerts: CommandGroup = {
  alone: list as CommandDefinition,
  commands: [{ name: 'test', summary: 'send a test message to every address', load: async () => test }],
}
