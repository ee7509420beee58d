import { readStatus } from '../../batches/status.ts'
import { column } from '../../operations/fields.ts'
import { rowOperations } from '../../operations/rows.ts'
import { type BatchStatus, completeStatus } from '../../views/batch-status.ts'
import type { ParkedRow } from '../../views/parked.ts'
import type { CommandDefinition } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { createProgress, follow } from '../files/follow.ts'
import { exitCodeOf } from '../files/run-result.ts'
import { renderStatus } from '../lines/batch.ts'
import { localMoment } from '../lines/phrases.ts'
import { renderRowHistory } from '../lines/row.ts'
import { type OpenInstallation, openContext } from '../open.ts'
import { flagOf, operationCommand } from '../operation-command.ts'
import { integerOption, readBatchId } from '../options.ts'

type Options = { watch?: boolean; line?: number; column?: string }

/** One batch, or one of its rows. */
export const batch: CommandDefinition<Options> = {
  arguments: [{ name: '<id>', about: 'the number of a batch' }],
  options: [
    { flags: '--watch', about: 'follow it until it ends; with --json, print it then' },
    {
      flags: '--line <n>',
      about: 'show the row at this line: answer, file, history',
      parse: integerOption('--line', 1),
    },
    flagOf('column', column),
  ],
  examples: [
    { line: 'vigia batch 12', about: 'Show counts, rate, time left, spend, and what holds it' },
    { line: 'vigia batch 12 --line 7', about: "Show the row at line 7: the registry's answer, its history" },
  ],

  async run(context, [text], { watch, line, ...place }) {
    if (line !== undefined) return oneRow.run(context, [text!, String(line)], place)
    const id = readBatchId(text!)
    await using opened = await openContext(context.env)
    const { sql, settings } = opened
    const { status: found, exitCode } = watch
      ? await watched(context, opened, id)
      : { status: await readStatus(sql, id, new Date()), exitCode: 0 }
    const status = await completeStatus(sql, found, settings.budget.unitPrice)
    context.print(status, () =>
      [renderStatus(status, settings), ...status.parked.map((row) => parkedLine(row, settings.timezone))].join('\n'),
    )
    return exitCode
  },
}

const oneRow = operationCommand(rowOperations.read, {
  examples: [],
  lines: (history, { settings }) => renderRowHistory(history, settings.timezone),
})

const parkedLine = ({ line, column: name, document, sent, detail }: ParkedRow, timezone: string): string =>
  `  line ${line}${name ? ` ${name}` : ''}  ${document}  sent ${localMoment(sent, timezone)}  ${detail ?? ''}`

/** Follows the batch until it ends; returns its status, and the exit code that a run would return. */
const watched = async (context: CommandContext, { sql }: OpenInstallation, id: bigint) => {
  const { signal } = context
  const ended = async ({ state, times }: BatchStatus) => {
    if (state === 'rejected') return times.exported || !times.imported ? state : null
    return times.exported ? 'done' : null
  }
  const [followed] = await follow([id], { sql, signal, progress: createProgress(context), ended })
  const { status, ending } = followed!
  return { status, exitCode: exitCodeOf([{ ...status, ending, quote: null }], signal) }
}
