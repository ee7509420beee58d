import { localDay } from '../../domain/calendar.ts'
import { syncUsage } from '../../monitoring/sync-usage.ts'
import { limits } from '../../views/limits.ts'
import {
  type ContradictionShown,
  listContradictions,
  listUsage,
  readToday,
  type UsageShown,
} from '../../views/usage.ts'
import { startEngine } from '../../worker.ts'
import type { CommandDefinition } from '../command.ts'
import { priced } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openForPeople } from '../open.ts'
import { limitOption, unmaskedOption } from '../options.ts'

/** Plan consumption as the registry reports it, beside our records. Asking is free. */
export const usage: CommandDefinition<{ days: number; unmasked?: boolean }> = {
  options: [limitOption(limits.usageDays, 'how many days back', '--days <n>'), unmaskedOption],
  examples: [
    { line: 'vigia usage', about: 'Reconcile the last thirty days, and list every document that differs' },
    { line: 'vigia usage --days 7 --json', about: 'Reconcile a week, for a script' },
  ],

  async run(context, _args, { days, unmasked }) {
    await using opened = await openForPeople(context)
    await using running = await startEngine(opened, { looksUp: false })
    const { detail } = await syncUsage(running.tools, context.signal)
    const { sql, settings } = opened
    const since = localDay(new Date(Date.now() - days * 86_400_000), settings.timezone)
    const today = await readToday(sql, new Date(), settings)
    const lines = await listUsage(sql, { since, prices: settings.budget.unitPrice, unmasked })
    const freshMs = settings.forKind.analysis.freshness
    const contradicted = await listContradictions(sql, { limit: 100, freshMs, unmasked })
    context.print({ ...detail, today, days: lines, contradicted }, () =>
      [render(lines, context.stdout.columns), ...contradictedLines(contradicted)].join('\n'),
    )
    return 0
  },
}

const render = (lines: readonly UsageShown[], width: number | undefined): string => {
  if (lines.length === 0) return 'Nothing was bought in these days.'
  const rows = lines.map(({ day, organization, told, recorded, difference, price }) => [
    day,
    String(organization),
    priced(told, price),
    String(recorded),
    String(difference),
  ])
  const differing = lines.flatMap(({ day, differing: all }) =>
    all.map(({ document, because }) => `${day}  ${document}  ${because}`),
  )
  return [
    renderTable(columns, rows, width),
    ...(differing.length > 0 ? ['', 'Differences:', ...differing] : []),
    '',
    'The registry lists analyses only; for the cost of CNH look-ups, see `vigia batches`.',
  ].join('\n')
}

const contradictedLines = (all: readonly ContradictionShown[]): string[] =>
  all.length === 0
    ? []
    : [
        '',
        'Bought although the organization owned an analysis that the list did not show:',
        ...all.map(({ document, bought, owned }) => `${document}  bought ${bought ?? '–'}, owned analysis ${owned}`),
      ]

const columns = [
  { title: 'DAY' },
  { title: 'ORGANIZATION', align: 'right' },
  { title: 'REGISTRY', align: 'right' },
  { title: 'VIGIA', align: 'right' },
  { title: 'DIFFERENCE', align: 'right' },
] as const
