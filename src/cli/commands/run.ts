import { basename } from 'node:path'
import { plainName } from '../../batches/submit.ts'
import type { CommandDefinition } from '../command.ts'
import { UsageError } from '../command.ts'
import { checkFiles, checkOut } from '../files/local-file.ts'
import { runFiles } from '../files/run-files.ts'
import type { RunOptions } from '../files/run-result.ts'
import { exitCodeOf, renderResult } from '../files/run-result.ts'
import { openForPeople } from '../open.ts'
import {
  encodingOption,
  formatOption,
  kindOption,
  languageOption,
  maxSpendOption,
  onlyAnalyses,
  organizationOption,
  outOption,
  readOptions,
  spreadsheetsOption,
} from '../options.ts'

/** Files from start to end in the foreground, beside whatever workers already run on the database. */
export const run: CommandDefinition<RunOptions> = {
  arguments: [{ name: '<files...>', about: 'CSVs and workbooks (.xlsx) of documents' }],
  options: [
    kindOption,
    outOption,
    { ...maxSpendOption, about: `${maxSpendOption.about}; for a file that runs already, its new limit` },
    { flags: '--yes', about: 'spend without asking, above budget.confirmAbove too' },
    encodingOption,
    formatOption,
    languageOption,
    organizationOption,
    spreadsheetsOption,
    ...readOptions,
  ],
  examples: [
    {
      line: 'vigia run clientes.csv',
      about: 'Quote, question, look up and report; after Ctrl-C the same command goes on',
    },
    {
      line: 'vigia run clientes.csv --out relatorio --max-spend 500',
      about: 'Elsewhere, for 500 paid calls at most; from a script this needs no --yes',
    },
  ],

  async run(context, files, options) {
    await checkFiles(files)
    if (options.out) refuseSameNames(files)
    if (options.withSpreadsheets && options.kind !== 'analysis') throw new UsageError(onlyAnalyses)
    await checkOut(options.out)
    await using opened = await openForPeople(context)
    const results = await runFiles(context, opened, files, options)
    context.print({ results }, () =>
      results.map((result) => renderResult(result, opened.settings.timezone)).join('\n\n'),
    )
    if (context.signal.aborted) context.stderr.write('Stopped; what was paid for is kept.\n')
    return exitCodeOf(results, context.signal)
  },
}

/** In the outbox each batch has a folder of its own; in one folder, reports are told apart by the names of their files. */
const refuseSameNames = (files: readonly string[]): void => {
  for (const [name, same] of Map.groupBy(files, (file) => plainName(basename(file)))) {
    if (same.length === 1) continue
    throw new UsageError(`${same.join(' and ')} would both be ${name}.report.csv there: give each an --out of its own`)
  }
}
