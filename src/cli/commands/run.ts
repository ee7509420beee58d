import {
  encodingOption,
  kindOption,
  maxSpendOption,
  organizationOption,
  outOption,
  spreadsheetsOption,
} from '../batch-options.ts'
import type { CommandDefinition } from '../command.ts'
import { checkFiles } from '../local-file.ts'
import { openForPeople } from '../open-for-people.ts'
import { type RunOptions, runFiles } from '../run-files.ts'
import { exitCodeOf, renderResult } from '../run-result.ts'

/** Files from start to end in the foreground, beside whatever workers already run on the database. */
export const run: CommandDefinition<RunOptions> = {
  arguments: [{ name: '<files...>', about: 'CSVs of documents' }],
  options: [
    kindOption,
    outOption,
    { ...maxSpendOption, about: `${maxSpendOption.about}; for a file that runs already, its new limit` },
    { flags: '--yes', about: 'spend without asking, above budget.confirmAbove too' },
    encodingOption,
    organizationOption,
    spreadsheetsOption,
  ],
  examples: [
    { line: 'vigia run clientes.csv', about: 'Quote, look up and report; after Ctrl-C the same command goes on' },
    { line: 'vigia run clientes.csv --out relatorio --max-spend 500', about: 'Elsewhere, for 500 paid calls at most' },
  ],

  async run(context, files, options) {
    await checkFiles(files)
    await using opened = await openForPeople(context)
    const results = await runFiles(context, opened, files, options)
    context.print({ results }, () =>
      results.map((result) => renderResult(result, opened.settings.timezone)).join('\n\n'),
    )
    if (context.signal.aborted) context.stderr.write('Stopped; what was paid for is kept.\n')
    return exitCodeOf(results, context.signal)
  },
}
