import { maskDocument } from '../../domain/document.ts'
import { listUnverified } from '../../store/coverage.ts'
import { isSweepName, listSweeps, type Sweep, sweepNames } from '../../store/sweeps.ts'
import type { CommandDefinition } from '../command.ts'
import { openContext } from '../open.ts'
import { wholeNumber } from '../parse-option.ts'
import { plainSweep, readSpent, type Spent, sweepSays } from '../run-sweep-now.ts'
import { renderTable } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { moment } from '../wording.ts'

type Options = { limit: number; name?: string; unverified?: number }

/** The history of sweeps with what each one proved, newest first. */
export const sweeps: CommandDefinition<Options> = {
  options: [
    { flags: '--limit <n>', about: 'how many', parse: wholeNumber('--limit', 1, 1_000), default: 30 },
    { flags: '--name <name>', about: `only ${sweepNames.join(', ')}` },
    {
      flags: '--unverified <sweep>',
      about: 'which documents a sweep could not look at',
      parse: wholeNumber('--unverified', 1),
    },
  ],
  examples: [
    { line: 'vigia sweeps --name radars', about: 'The last thirty nights' },
    { line: 'vigia sweeps --unverified 812', about: 'Which documents were not looked at that night, and why' },
  ],

  async run(context, _args, { limit, name, unverified }) {
    if (name !== undefined && !isSweepName(name)) throw new UsageError(`There is no sweep "${name}"`)
    await using opened = await openContext(context.env)
    const { sql, settings } = opened
    if (unverified) {
      const missing = (await listUnverified(sql, BigInt(unverified), 10_000)).map(({ document, ...rest }) => ({
        document: maskDocument(document),
        ...rest,
      }))
      context.print({ sweep: unverified, missing }, () =>
        missing.map(({ document, unverified: why }) => `${document}  ${why}`).join('\n'),
      )
      return 0
    }
    const found = await listSweeps(sql, { limit, ...(name && { name }) })
    const spent = await readSpent(opened, found)
    const rows = found.map((sweep) => cellsOf(sweep, spent.get(sweep.id), settings.timezone))
    context.print({ sweeps: found.map((sweep) => plainSweep(sweep, spent.get(sweep.id))) }, () =>
      rows.length > 0
        ? renderTable(columns, rows, context.stdout.columns)
        : 'No sweeps yet: `vigia worker` rings them.',
    )
    return 0
  },
}

const columns = [
  { title: 'SWEEP', align: 'right' },
  { title: 'NAME' },
  { title: 'STARTED' },
  { title: 'BY' },
  { title: 'STATE' },
  { title: 'WHAT IT FOUND', free: true },
] as const

const cellsOf = (sweep: Sweep, spent: Spent | undefined, timezone: string): string[] => [
  String(sweep.id),
  sweep.name,
  moment(sweep.startedAt, timezone),
  sweep.trigger,
  sweep.state,
  sweepSays(sweep, spent),
]
