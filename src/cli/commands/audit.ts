import { listAudit } from '../../views/audit.ts'
import { limits } from '../../views/limits.ts'
import type { CommandDefinition } from '../command.ts'
import { localMoment } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openContext } from '../open.ts'
import { integerOption, limitOption } from '../options.ts'

type Options = { limit: number; before?: number }

/** The audit log, newest first. */
export const audit: CommandDefinition<Options> = {
  options: [
    limitOption(limits.audit),
    { flags: '--before <id>', about: 'only entries older than this one', parse: integerOption('--before', 1) },
  ],
  examples: [{ line: 'vigia audit --limit 10', about: 'The last ten actions' }],

  async run(context, _args, { limit, before }) {
    await using opened = await openContext(context.env)
    const { timezone } = opened.settings
    const entries = await listAudit(opened.sql, limit, before === undefined ? null : BigInt(before))
    const cells = entries.map(({ id, at, who, what, subject, detail }) => [
      String(id),
      localMoment(at, timezone),
      who,
      what,
      subject,
      JSON.stringify(detail),
    ])
    context.print({ entries }, () => renderTable(columns, cells, context.stdout.columns))
    return 0
  },
}

const columns = [
  { title: 'ID', align: 'right' },
  { title: 'WHEN' },
  { title: 'WHO' },
  { title: 'WHAT' },
  { title: 'TO WHAT' },
  { title: 'DETAIL', free: true },
] as const
