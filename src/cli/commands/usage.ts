import { type Price, priceOf } from '../../domain/amount.ts'
import { localDay } from '../../domain/calendar.ts'
import { syncUsage } from '../../monitoring/sync-usage.ts'
import { listUsage, type UsageLine } from '../../store/purchases/usage.ts'
import { startEngine } from '../../worker.ts'
import type { CommandDefinition } from '../command.ts'
import { openForPeople } from '../open.ts'
import { shownDocument, unmaskedOption, wholeNumber } from '../options.ts'
import { renderTable } from '../table.ts'
import { priced } from '../wording.ts'

/** Plan consumption as the registry tells it, beside our own books. Asking is free. */
export const usage: CommandDefinition<{ days: number; unmasked?: boolean }> = {
  options: [
    { flags: '--days <n>', about: 'how far back', parse: wholeNumber('--days', 1, 35), default: 30 },
    unmaskedOption,
  ],
  examples: [
    { line: 'vigia usage', about: 'The last thirty days, and every document in which the books differ' },
    { line: 'vigia usage --days 7 --json', about: 'A week, for a script' },
  ],

  async run(context, _args, { days, unmasked }) {
    await using opened = await openForPeople(context)
    await using running = await startEngine(opened, { looksUp: false })
    const { detail } = await syncUsage(running.tools, context.signal)
    const since = new Date(Date.now() - days * 86_400_000)
    const { timezone, budget } = opened.settings
    const found = await listUsage(opened.sql, localDay(since, timezone))
    const lines = found.map(({ differing, ...line }) => ({
      ...line,
      price: priceOf(budget.unitPrice, 'analysis', line.told),
      differing: differing.map((each) => ({ ...each, document: shownDocument(each.document, unmasked) })),
    }))
    context.print({ ...detail, days: lines }, () => render(lines, context.stdout.columns))
    return 0
  },
}

type Lines = (UsageLine & { price: Price | null })[]

const render = (lines: Lines, width: number | undefined): string => {
  if (lines.length === 0) return 'Nothing was bought in this time.'
  const rows = lines.map(({ day, organizationId, told, recorded, price }) => [
    day,
    String(organizationId),
    priced(told, price),
    String(recorded),
    String(told - recorded),
  ])
  const differing = lines.flatMap(({ day, differing: all }) =>
    all.map(({ document, because }) => `${day}  ${document}  ${because}`),
  )
  return [
    renderTable(columns, rows, width),
    ...(differing.length > 0 ? ['', 'They differ in:', ...differing] : []),
    '',
    'The registry lists analyses alone: what CNH look-ups cost is in `vigia batches`.',
  ].join('\n')
}

const columns = [
  { title: 'DAY' },
  { title: 'ORGANIZATION', align: 'right' },
  { title: 'REGISTRY', align: 'right' },
  { title: 'VIGIA', align: 'right' },
  { title: 'DIFFERENCE', align: 'right' },
] as const
