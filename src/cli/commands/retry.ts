import type { RetryQuote } from '../../batches/retry.ts'
import { type Price, priceOf } from '../../domain/amount.ts'
import { batchOperations, quoteRetryOf, toRetryView } from '../../operations/batches.ts'
import { perform, readInput } from '../../operations/operation.ts'
import { type Approval, askApproval, canAsk, exitCodeOfApproval } from '../ask.ts'
import { asCalled, type CommandContext, type CommandDefinition } from '../command.ts'
import { costing, counted, number, priced, renderFacts } from '../lines/texts.ts'
import { openContext } from '../open.ts'
import { flagNamed, flagOf, openActing } from '../operation-command.ts'

type Options = { state?: string; maxSpend?: string; yes?: boolean }

const { shape } = batchOperations.retry.input

/** Retries the rows that got no answer; shows the cost first. */
export const retry: CommandDefinition<Options> = {
  arguments: [{ name: '<id>', about: 'the number of a batch' }],
  options: [
    flagOf('state', shape.state),
    flagOf('maxSpend', shape.maxSpend),
    { flags: '--yes', about: 'approve the cost without a question' },
  ],
  examples: [
    { line: 'vigia retry 12', about: 'Show the cost, ask for approval, and retry' },
    { line: 'vigia retry 12 --state failed,timed_out --yes', about: 'Retry only these, without a question' },
  ],

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
    context.print(answer, () => describe({ ...answer, agreed: approval === 'yes', again, stays }))
    return exitCodeOfApproval[approval]
  },
}

/** The same command, with the approval that was missing. */
const retryCommand = (id: bigint, { state, maxSpend }: Options): string => {
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
  return renderFacts([
    ['Rows to retry', `${number(rows)} (${counted(documents, 'document')})`],
    ['Answered since, free', none(fresh)],
    ['Shared with open look-ups', none(shared)],
    ['Bought, still waiting', none(bought)],
    ['To be asked', none(toBeAsked)],
    ['To be paid', priced(toBePaid, beyond + freed > 0 ? null : price)],
    ['Freed by the new limit', freed > 0 ? `${number(freed)} that wait in the batch` : null],
    ['Beyond the limit', beyond > 0 ? `${number(beyond)} of them end as over_budget: --max-spend N raises it` : null],
    ['At most', beyond + freed > 0 ? costing(affordable, price) : null],
    [
      'Not retried',
      parked + parkedRows > 0
        ? `${counted(parked + parkedRows, 'row')} parked, needs \`vigia resolve ${id} --line N\``
        : null,
    ],
  ])
}

const describe = ({
  agreed,
  retried,
  workers,
  again,
  stays,
}: {
  agreed: boolean
  retried: number
  workers: number
  again: string
  stays: string
}): string => {
  if (!agreed) return `Nothing was sent. To retry, run \`${again}\`.`
  if (retried === 0) return 'There is nothing to retry.'
  const who = workers > 0 ? '' : ' No worker is running: start one with `vigia worker`.'
  return `${counted(retried, 'row')} will be retried.${stays || who}`
}
