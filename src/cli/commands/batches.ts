import { shownState, shownStates } from '../../batches/status.ts'
import { type Batch, listBatches } from '../../store/batches.ts'
import type { Sql } from '../../store/connect.ts'
import { countsOf } from '../../store/counts.ts'
import type { CommandDefinition } from '../command.ts'
import { openContext } from '../open.ts'
import { wholeNumber } from '../parse-option.ts'
import { renderTable } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { moment, number } from '../wording.ts'

type Options = { limit: number; state?: string; search?: string; before?: number }

/** The batches, newest first. */
export const batches: CommandDefinition<Options> = {
  options: [
    { flags: '--limit <n>', about: 'how many', parse: wholeNumber('--limit', 1, 1_000), default: 20 },
    { flags: '--state <state>', about: `only those that are ${shownStates.join(', ')}`, parse: readState },
    { flags: '--search <text>', about: 'only those with this in their name, or of this number' },
    { flags: '--before <id>', about: 'only those older than this one', parse: wholeNumber('--before', 1) },
  ],
  examples: [
    { line: 'vigia batches', about: 'The last twenty' },
    { line: 'vigia batches --state running --json', about: 'What runs, for a script' },
  ],

  async run(context, _args, { before, ...filter }) {
    await using opened = await openContext(context.env)
    const { sql, settings } = opened
    const found = await listBatches(sql, { ...filter, ...(before && { before: BigInt(before) }) })
    const listed = await Promise.all(found.map((batch) => lineOf(sql, batch)))
    context.print({ batches: listed }, () =>
      listed.length > 0
        ? renderTable(
            columns,
            listed.map((line) => cellsOf(line, settings.timezone)),
            context.stdout.columns,
          )
        : before || filter.state || filter.search
          ? 'No batch is like that; `vigia batches` lists them all.'
          : 'No batches yet: `vigia run FILE` or `vigia submit FILE` makes one.',
    )
    return 0
  },
}

function readState(text: string): string {
  if ((shownStates as readonly string[]).includes(text)) return text
  throw new UsageError(`--state takes one of ${shownStates.join(', ')}, not "${text}"`)
}

type Line = Awaited<ReturnType<typeof lineOf>>

async function lineOf(sql: Sql, batch: Batch) {
  const counts = await countsOf(sql, batch.id)
  return {
    batch: Number(batch.id),
    name: batch.name,
    kind: batch.kind,
    organization: Number(batch.organizationId),
    state: shownState(batch),
    rows: batch.rows,
    done: Object.values(counts).reduce((sum, rows) => sum + rows, 0),
    states: counts,
    charged: batch.spent,
    source: batch.source,
    by: batch.submittedBy,
    submitted: batch.createdAt.toISOString(),
    finished: batch.finishedAt?.toISOString() ?? null,
  }
}

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

const cellsOf = ({ batch, name, kind, state, done, rows, charged, submitted }: Line, timezone: string): string[] => [
  String(batch),
  name,
  kind,
  state,
  number(done),
  number(rows),
  number(charged),
  moment(submitted, timezone),
]
