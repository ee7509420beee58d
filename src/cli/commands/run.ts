import { basename } from 'node:path'
import { purposeFor } from '../../batches/purpose.ts'
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
  purposeOption,
  readOptions,
  spreadsheetsOption,
} from '../options.ts'

/** Processes files from start to end in the foreground, beside any workers on the database. */
export const run: CommandDefinition<RunOptions> = {
  arguments: [{ name: '<files...>', about: 'CSV files and workbooks (.xlsx) of documents' }],
  options: [
    kindOption,
    outOption,
    { ...maxSpendOption, about: `${maxSpendOption.about}; for a running file, its new limit` },
    { flags: '--yes', about: 'approve the cost, above budget.confirmAbove too' },
    encodingOption,
    formatOption,
    languageOption,
    organizationOption,
    spreadsheetsOption,
    purposeOption,
    ...readOptions,
  ],
  examples: [
    {
      line: 'vigia run clientes.csv',
      about: 'Quote, ask for approval, look up and report; after Ctrl-C, run it again to resume',
    },
    {
      line: 'vigia run clientes.csv --out relatorio --max-spend 500',
      about: 'Write to a folder, with 500 paid calls at most; a script needs no --yes then',
    },
  ],

  async run(context, files, options) {
    await checkFiles(files)
    if (options.out) refuseSameNames(files)
    if (options.withSpreadsheets && options.kind !== 'analysis') throw new UsageError(onlyAnalyses)
    await checkOut(options.out)
    await using opened = await openForPeople(context)
    purposeFor(opened.settings.purpose, options.purpose)
    const results = await runFiles(context, opened, files, options)
    context.print({ results }, () =>
      results.map((result) => renderResult(result, opened.settings.timezone)).join('\n\n'),
    )
    if (context.signal.aborted) context.stderr.write('Stopped; what was paid for is kept.\n')
    return exitCodeOf(results, context.signal)
  },
}

/** In the outbox each batch has its own folder; in one folder, the names of the files must differ. */
const refuseSameNames = (files: readonly string[]): void => {
  for (const [name, same] of Map.groupBy(files, (file) => plainName(basename(file)))) {
    if (same.length === 1) continue
    throw new UsageError(`${same.join(' and ')} would both write ${name}.report.csv: give each its own --out`)
  }
}
