import { resolve } from 'node:path'
import { batchOrRefuse, readStatus } from '../../batches/batch-or-refuse.ts'
import { exportBatch, outboxFolder } from '../../batches/export.ts'
import type { RetryQuote } from '../../batches/retry.ts'
import { type Price, priceOf } from '../../domain/amount.ts'
import { batchOperations, quoteRetryOf, toRetryView } from '../../operations/batches.ts'
import { column, perform, readInput } from '../../operations/operation.ts'
import { rowOperations } from '../../operations/rows.ts'
import { recordAudit } from '../../store/people/audit.ts'
import type { BatchLine } from '../../views/batch.ts'
import { type BatchStatus, completeStatus } from '../../views/batch-status.ts'
import type { ParkedRow } from '../../views/parked.ts'
import { type Approval, askApproval, canAsk, exitCodeOfApproval } from '../ask.ts'
import { asCalled, type CommandContext, type CommandDefinition, whoCalls } from '../command.ts'
import { createProgress, follow } from '../files/follow.ts'
import { checkOut, renderFiles } from '../files/local-file.ts'
import { exitCodeOf, type RunOptions } from '../files/run-result.ts'
import { renderIncidents, renderStatus } from '../lines/batch.ts'
import { renderRowHistory } from '../lines/row.ts'
import { costing, counted, localMoment, number, outcomes, priced, renderFacts } from '../lines/texts.ts'
import { type OpenInstallation, openContext } from '../open.ts'
import { openActing, operationCommand } from '../operation-command.ts'
import { flagNamed, flagOf, integerOption, outOption, readBatchId, reportOptions } from '../options.ts'

/** The batches, newest first. */
export const batches = operationCommand(batchOperations.list, {
  examples: {
    'vigia batches': 'List the last twenty',
    'vigia batches --state running --json': 'List the running batches, for a script',
  },

  lines({ batches: listed, trouble }, { settings: { timezone }, stdout, options, at, table }) {
    const incidents = renderIncidents(trouble, { timezone, now: new Date(), stdout })
    const shown = table(listed, emptyText(options), [
      ['BATCH', (line) => line.batch, 'right'],
      ['NAME', ({ name }) => name, 'free'],
      ['KIND', ({ kind }) => kind],
      ['STATE', (line) => line.shown],
      ['DONE', doneText, 'right'],
      ['ROWS', ({ rows }) => number(rows), 'right'],
      ['CHARGED', ({ charged, price }) => priced(charged, price), 'right'],
      ['SUBMITTED', ({ submitted }) => at(submitted)],
    ])
    return [...incidents, shown].join('\n')
  },
})

const doneText = ({ done, total, rows }: BatchLine): string =>
  total === rows ? number(done) : `${number(done)} of ${counted(total, 'document')}`

const emptyText = ({ before, state, search }: Record<string, unknown>): string =>
  before || state || search
    ? 'No matching batches; `vigia batches` lists all of them.'
    : 'No batches yet: create one with `vigia run FILE` or `vigia submit FILE`.'

/** A command that does one action to a batch and shows its new status; the engine follows within two seconds. */
const steeringCommand = (name: 'confirm' | 'pause' | 'resume' | 'cancel', about: string) =>
  operationCommand(batchOperations[name], {
    arguments: [{ name: '<id>', about: 'the number of a batch' }],
    flags: [],
    examples: { [`vigia ${name} 12`]: about },
    lines: (status, { settings }) => renderStatus(status, settings.timezone),
  })

export const confirm = steeringCommand('confirm', 'Approve a batch above budget.confirmAbove')
export const pause = steeringCommand('pause', 'Send nothing new; what was paid for is still fetched')
export const resume = steeringCommand('resume', 'Resume where it stopped')
export const cancel = steeringCommand('cancel', 'End what was not sent yet, and report every row')

type Options = { watch?: boolean; line?: number; column?: string }

/** One batch, or one of its rows. */
export const batch: CommandDefinition<Options> = {
  arguments: [{ name: '<id>', about: 'the number of a batch' }],
  options: [
    { flags: '--watch', about: 'follow it until it ends; with --json, print it then' },
    integerOption('--line <n>', 'show the row at this line: answer, file, history', 1),
    flagOf('column', column),
  ],
  examples: {
    'vigia batch 12': 'Show counts, rate, time left, spend, and what holds it',
    'vigia batch 12 --line 7': "Show the row at line 7: the registry's answer, its history",
  },

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
      [renderStatus(status, settings.timezone), ...status.parked.map((row) => parkedLine(row, settings.timezone))].join(
        '\n',
      ),
    )
    return exitCode
  },
}

const oneRow = operationCommand(rowOperations.read, {
  examples: {},
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

type ExportOptions = Pick<RunOptions, 'out' | 'encoding' | 'format' | 'language'>

/** Writes the files of a batch as of now. */
export const exportFiles: CommandDefinition<ExportOptions> = {
  arguments: [{ name: '<id>', about: 'the number of a batch' }],
  options: [outOption, ...reportOptions],
  examples: {
    'vigia export 12': 'Write to the outbox; open rows are shown as pending',
    'vigia export 12 --format xlsx --language en': 'Add a workbook, in English',
    'vigia export 12 --out /tmp/report --encoding same': 'Write elsewhere, in the encoding of the input',
  },

  async run(context, [text], { out, ...asked }) {
    const id = readBatchId(text!)
    await checkOut(out)
    await using opened = await openContext(context.env)
    const { sql, home, settings } = opened
    const batch = await batchOrRefuse(sql, id)
    const folder = out ? resolve(out) : outboxFolder(home, batch)
    const options = { folder, now: new Date(), settings, ...asked }
    const { report, rejects, workbook, manifestPath, manifest } = await exportBatch(sql, id, options)
    await recordAudit(sql, whoCalls(), 'export', `batch ${id}`, { complete: manifest.complete })
    const files = { report, rejects, manifest: manifestPath, ...(workbook && { workbook }) }
    const { rows, states, unanswered, complete } = manifest
    context.print({ batch: id, complete, rows, states, unanswered, files }, () =>
      [
        renderFacts({
          Rows: `${counted(rows, 'row')}: ${outcomes(states)}`,
          Partial: complete ? null : 'open rows are shown as pending',
        }),
        renderFiles(files),
      ].join('\n'),
    )
    return 0
  },
}

type RetryOptions = { state?: string; maxSpend?: string; yes?: boolean }

const { shape } = batchOperations.retry.input

/** Retries the rows that got no answer; shows the cost first. */
export const retry: CommandDefinition<RetryOptions> = {
  arguments: [{ name: '<id>', about: 'the number of a batch' }],
  options: [
    flagOf('state', shape.state),
    flagOf('maxSpend', shape.maxSpend),
    { flags: '--yes', about: 'approve the cost without a question' },
  ],
  examples: {
    'vigia retry 12': 'Show the cost, ask for approval, and retry',
    'vigia retry 12 --state failed,timed_out --yes': 'Retry only these, without a question',
  },

  async run(context, [batch], { yes, ...wish }) {
    const given = { batch, ...wish }
    const { batch: id, state: states, maxSpend } = readInput(batchOperations.quoteRetry, given, flagNamed)
    await using opened = await openContext(context.env)
    await using acting = openActing(opened)
    const { settings, sql } = opened
    const quoted = await quoteRetryOf(acting.context, id, { states, maxSpend })
    const { toPay, isVain: vain, quote } = quoted
    const price = priceOf(settings.budget.unitPrice, quoted.batch.kind, toPay)
    if (!context.json) context.stderr.write(asCalled(`${renderRetry(quote, id, toPay, price)}\n`, context.env))
    const { confirmAbove } = settings.budget
    const approval = vain ? 'no' : await approvalForRetry(context, toPay, price, { yes, maxSpend, confirmAbove })
    const agreed = yes ? {} : { atMost: toPay }
    const answer =
      approval === 'yes'
        ? await perform(batchOperations.retry, acting.context, { ...given, ...agreed })
        : await toRetryView(sql, { ...quoted, retried: 0 }, settings.budget.unitPrice)
    const again = vain ? `vigia retry ${id} --max-spend N` : retryCommand(id, wish)
    const stays = quoted.batch.shown === 'paused' ? ` It stays paused until \`vigia resume ${id}\`.` : ''
    context.print(answer, () =>
      approval === 'yes' ? retriedText(answer, stays) : `Nothing was sent. To retry, run \`${again}\`.`,
    )
    return exitCodeOfApproval[approval]
  },
}

/** The same command, with the approval that was missing. */
const retryCommand = (id: bigint, { state, maxSpend }: RetryOptions): string => {
  const states = state ? [`--state ${state}`] : []
  const limit = maxSpend === undefined ? [] : [`--max-spend ${maxSpend}`]
  return [`vigia retry ${id}`, ...states, ...limit, '--yes'].join(' ')
}

/** What is free needs no approval. If nobody can be asked, a new limit is an approval, up to `budget.confirmAbove`. */
const approvalForRetry = async (
  context: CommandContext,
  units: number,
  price: Price | null,
  { yes, maxSpend, confirmAbove }: { yes?: boolean; maxSpend?: number; confirmAbove: number | null },
): Promise<Approval> => {
  const limited = maxSpend !== undefined && !canAsk(context) && units <= (confirmAbove ?? Number.POSITIVE_INFINITY)
  return askApproval(context, `Spend up to ${costing(units, price)}?`, yes || units === 0 || limited)
}

const renderRetry = (
  { rows, documents, fresh, shared, bought, parked, toBeAsked, toBePaid, freed, parkedRows }: RetryQuote,
  id: bigint,
  affordable: number,
  price: Price | null,
): string => {
  const beyond = toBePaid + freed - affordable
  const none = (value: number): string | null => (value > 0 ? number(value) : null)
  return renderFacts({
    'Rows to retry': `${number(rows)} (${counted(documents, 'document')})`,
    'Answered since, free': none(fresh),
    'Shared with open look-ups': none(shared),
    'Bought, still waiting': none(bought),
    'To be asked': none(toBeAsked),
    'To be paid': priced(toBePaid, beyond + freed > 0 ? null : price),
    'Freed by the new limit': freed > 0 ? `${number(freed)} that wait in the batch` : null,
    'Beyond the limit': beyond > 0 ? `${number(beyond)} of them end as over_budget: --max-spend N raises it` : null,
    'At most': beyond + freed > 0 ? costing(affordable, price) : null,
    'Not retried':
      parked + parkedRows > 0
        ? `${counted(parked + parkedRows, 'row')} parked, needs \`vigia resolve ${id} --line N\``
        : null,
  })
}

const retriedText = ({ retried, workers }: { retried: number; workers: number }, stays: string): string => {
  if (retried === 0) return 'There is nothing to retry.'
  const who = workers > 0 ? '' : ' No worker is running: start one with `vigia worker`.'
  return `${counted(retried, 'row')} will be retried.${stays || who}`
}
