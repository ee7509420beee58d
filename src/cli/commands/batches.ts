import { reportedStates } from '../../domain/batch.ts'
import { type BatchLine, listBatchLines, statesFor } from '../../views/batch.ts'
import { readIncidents } from '../../views/incident.ts'
import { limits } from '../../views/limits.ts'
import type { CommandDefinition } from '../command.ts'
import { UsageError } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { renderIncidents } from '../lines/incident.ts'
import { localMoment, number, priced } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openContext } from '../open.ts'
import { integerOption, limitOption } from '../options.ts'

const states: readonly string[] = reportedStates

type Options = { limit: number; state?: string; search?: string; before?: number }

/** The batches, newest first. */
export const batches: CommandDefinition<Options> = {
  options: [
    limitOption(limits.batches),
    { flags: '--state <state>', about: `only batches in this state: ${states.join(', ')}`, parse: readState },
    { flags: '--search <text>', about: 'only batches with this in their name, or of this number' },
    { flags: '--before <id>', about: 'only batches older than this one', parse: integerOption('--before', 1) },
  ],
  examples: [
    { line: 'vigia batches', about: 'List the last twenty' },
    { line: 'vigia batches --state running --json', about: 'List the running batches, for a script' },
  ],

  async run(context, _args, { before, ...filter }) {
    await using opened = await openContext(context.env)
    const { sql, settings } = opened
    const wanted = { ...filter, state: statesFor(filter.state), ...(before && { before: BigInt(before) }) }
    const listed = await listBatchLines(sql, wanted, settings.budget.unitPrice)
    const incidents = await readIncidents(sql)
    const textContext = { timezone: settings.timezone, now: new Date(), stdout: context.stdout }
    context.print({ batches: listed, trouble: incidents }, () =>
      [
        ...renderIncidents(incidents, textContext),
        tableOf(listed, context, settings.timezone) ?? emptyText(before, filter),
      ].join('\n'),
    )
    return 0
  },
}

function readState(text: string): string {
  if (states.includes(text)) return text
  throw new UsageError(`--state takes one of ${states.join(', ')}, not "${text}"`)
}

const tableOf = (listed: readonly BatchLine[], { stdout }: CommandContext, timezone: string): string | null => {
  if (listed.length === 0) return null
  const cells = listed.map((line) => cellsOf(line, timezone))
  return renderTable(columns, cells, stdout.columns)
}

const emptyText = (before: number | undefined, { state, search }: Partial<Options>): string =>
  before || state || search
    ? 'No matching batches; `vigia batches` lists all of them.'
    : 'No batches yet: create one with `vigia run FILE` or `vigia submit FILE`.'

const columns = [
  { title: 'BATCH', align: 'right' },
  { title: 'NAME', free: true },
  { title: 'KIND' },
  { title: 'STATE' },
  { title: 'DONE', align: 'right' },
  { title: 'ROWS', align: 'right' },
  { title: 'CHARGED', align: 'right' },
  { title: 'SUBMITTED' },
] as const

const cellsOf = (
  { batch, name, kind, shown, done, rows, charged, price, submitted }: BatchLine,
  timezone: string,
): string[] => [
  String(batch),
  name,
  kind,
  shown,
  number(done),
  number(rows),
  priced(charged, price),
  localMoment(submitted, timezone),
]
