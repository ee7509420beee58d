import { basename } from 'node:path'
import { plainName, purposeFor, submitFile } from '../../batches/submit.ts'
import { type SubmittedShown, toSubmittedView } from '../../views/batch-status.ts'
import { type CommandDefinition, UsageError } from '../command.ts'
import { aboutFile, checkFiles, checkOut, localSubmission } from '../files/local-file.ts'
import { quoteLocalFile, renderQuote } from '../files/quote.ts'
import { runFiles } from '../files/run-files.ts'
import { exitCodeOf, type RunOptions, renderResult } from '../files/run-result.ts'
import { openContext, openForPeople } from '../open.ts'
import { openQueues } from '../operation-command.ts'
import {
  type FileOptions,
  kindOption,
  maxSpendOption,
  organizationOption,
  outOption,
  purposeOption,
  readOptions,
  refuseSpreadsheets,
  reportOptions,
  spreadsheetsOption,
  yesOption,
} from '../options.ts'

/** Processes files from start to end in the foreground, beside any workers on the database. */
export const run: CommandDefinition<RunOptions> = {
  arguments: [{ name: '<files...>', about: 'CSV files and workbooks (.xlsx) of documents' }],
  options: [
    kindOption,
    outOption,
    { ...maxSpendOption, about: `${maxSpendOption.about}; for a running file, its new limit` },
    yesOption,
    ...reportOptions,
    organizationOption,
    spreadsheetsOption,
    purposeOption,
    ...readOptions,
  ],
  examples: {
    'vigia run clientes.csv': 'Quote, ask for approval, look up and report; after Ctrl-C, run it again to resume',
    'vigia run clientes.csv --out relatorio --max-spend 500':
      'Write to a folder, with 500 paid calls at most; a script needs no --yes then',
  },

  async run(context, files, options) {
    await checkFiles(files)
    if (options.out) refuseSameNames(files)
    refuseSpreadsheets(options)
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

/** Submits a file to the workers of the fleet and returns at once. */
export const submit: CommandDefinition<FileOptions> = {
  arguments: [{ name: '<file>', about: 'a CSV or a workbook (.xlsx) of documents' }],
  options: [
    kindOption,
    organizationOption,
    maxSpendOption,
    ...reportOptions,
    spreadsheetsOption,
    yesOption,
    purposeOption,
    ...readOptions,
  ],
  examples: {
    'vigia submit clientes.csv': 'Submit a file to the running workers',
    'vigia submit clientes.csv --kind cnh --max-spend 500': 'Allow 500 paid calls at most',
  },

  async run(context, [file], options) {
    await checkFiles([file!])
    refuseSpreadsheets(options)
    await using opened = await openContext(context.env)
    await using queues = await openQueues(opened)
    const submission = localSubmission(file!, opened, options, context.signal)
    const taken = await aboutFile(file!, () => submitFile(opened.sql, queues.boss, submission))
    const answer = await toSubmittedView(opened.sql, taken)
    context.print(answer, () => describe(answer))
    return 0
  },
}

const describe = ({ batch, repeated, workers }: SubmittedShown): string => {
  const first = repeated ? `The same bytes are already batch ${batch}: nothing is bought again.` : `Batch ${batch}`
  const next = `\`vigia batch ${batch} --watch\` shows its progress.`
  const noWorker = 'No worker is running: the batch waits until you start one with `vigia worker`.'
  return [first, next, ...(workers > 0 ? [] : [noWorker])].join('\n')
}

/** Quotes a file; stores, sends and spends nothing. */
export const plan: CommandDefinition<FileOptions> = {
  arguments: [{ name: '<file>', about: 'a CSV or a workbook (.xlsx) of documents' }],
  options: [kindOption, organizationOption, maxSpendOption, purposeOption, ...readOptions],
  examples: {
    'vigia plan clientes.csv': 'Show what an analysis of each document would cost',
    'vigia plan carteira.xlsx --column documento="Doc. Cliente"': 'Name the document column of a workbook',
    'vigia plan clientes.csv --kind processes --json': 'Quote another kind, as JSON',
  },

  async run(context, [file], options) {
    await checkFiles([file!])
    await using opened = await openContext(context.env)
    const quote = await quoteLocalFile(opened, file!, options, { joining: 0, signal: context.signal })
    context.print(quote, () => renderQuote(quote))
    return 0
  },
}
