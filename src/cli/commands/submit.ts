import { submitFile } from '../../batches/submit.ts'
import { type SubmittedShown, toSubmittedView } from '../../views/batch-status.ts'
import type { CommandDefinition } from '../command.ts'
import { UsageError } from '../command.ts'
import { aboutFile, checkFiles } from '../files/local-file.ts'
import { submissionOf } from '../files/submission.ts'
import { openContext } from '../open.ts'
import { openQueues } from '../open-queues.ts'
import {
  encodingOption,
  type FileOptions,
  formatOption,
  kindOption,
  languageOption,
  maxSpendOption,
  onlyAnalyses,
  organizationOption,
  purposeOption,
  readOptions,
  spreadsheetsOption,
} from '../options.ts'

/** Submits a file to the workers of the fleet and returns at once. */
export const submit: CommandDefinition<FileOptions> = {
  arguments: [{ name: '<file>', about: 'a CSV or a workbook (.xlsx) of documents' }],
  options: [
    kindOption,
    organizationOption,
    maxSpendOption,
    encodingOption,
    formatOption,
    languageOption,
    spreadsheetsOption,
    { flags: '--yes', about: 'approve the cost, above budget.confirmAbove too' },
    purposeOption,
    ...readOptions,
  ],
  examples: [
    { line: 'vigia submit clientes.csv', about: 'Submit a file to the running workers' },
    { line: 'vigia submit clientes.csv --kind cnh --max-spend 500', about: 'Allow 500 paid calls at most' },
  ],

  async run(context, [file], options) {
    await checkFiles([file!])
    if (options.withSpreadsheets && options.kind !== 'analysis') throw new UsageError(onlyAnalyses)
    await using opened = await openContext(context.env)
    await using queues = await openQueues(opened)
    const submission = submissionOf(file!, opened, options, context.signal)
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
