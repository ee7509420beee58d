import { forgetChoice } from '../../batches/column-choices.ts'
import { listColumnChoices } from '../../views/column-choice.ts'
import type { CommandDefinition } from '../command.ts'
import { whoCalls } from '../context.ts'
import { localMoment } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openContext } from '../open.ts'
import { integerOption } from '../options.ts'

/** The column choices that people made; files with the same headers are read in the same way. */
export const columns: CommandDefinition<{ forget?: number }> = {
  options: [{ flags: '--forget <n>', about: 'forget this choice', parse: integerOption('--forget', 1) }],
  examples: [
    { line: 'vigia columns', about: 'List the choices: headers, and the column of each role' },
    { line: 'vigia columns --forget 3', about: 'Forget a choice' },
  ],

  async run(context, _args, { forget }) {
    await using opened = await openContext(context.env)
    if (forget !== undefined) {
      await forgetChoice(opened.sql, BigInt(forget), whoCalls())
      context.print({ id: forget, forgotten: true }, () => `Forgot choice ${forget}.`)
      return 0
    }
    const choices = await listColumnChoices(opened.sql)
    const cells = choices.map(({ id, organization, columns: named, headers, by, chosen }) => [
      String(id),
      String(organization),
      Object.entries(named)
        .map(([role, header]) => `${role}="${header}"`)
        .join(', '),
      localMoment(chosen, opened.settings.timezone),
      by,
      headers.filter(Boolean).join(', '),
    ])
    context.print({ columns: choices }, () =>
      choices.length > 0 ? renderTable(titles, cells, context.stdout.columns) : 'No column choices yet.',
    )
    return 0
  },
}

const titles = [
  { title: 'N', align: 'right' },
  { title: 'ORGANIZATION' },
  { title: 'CHOSEN' },
  { title: 'WHEN' },
  { title: 'BY' },
  { title: 'HEADERS', free: true },
] as const
