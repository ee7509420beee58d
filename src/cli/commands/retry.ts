import {
  affordableRetry,
  isVain,
  quoteRetry,
  type Retry,
  type RetryableState,
  type RetryQuote,
  retryableStates,
  retryBatch,
  retryBy,
} from '../../batches/retry.ts'
import { type Price, priceOf } from '../../domain/amount.ts'
import { toRetryView } from '../../views/retry.ts'
import { type Approval, askApproval, canAsk, exitCodeOfApproval } from '../ask.ts'
import type { CommandDefinition } from '../command.ts'
import { UsageError } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { asCalled } from '../context.ts'
import { costing, counted, number, priced, renderFacts } from '../lines/phrases.ts'
import { openContext } from '../open.ts'
import { openSteering } from '../open-queues.ts'
import { maxSpendOption, readBatchId } from '../options.ts'

type Options = { state?: readonly RetryableState[]; maxSpend?: number; yes?: boolean }

/** Retries the rows that got no answer; shows the cost first. */
export const retry: CommandDefinition<Options> = {
  arguments: [{ name: '<id>', about: 'the number of a batch' }],
  options: [
    {
      flags: '--state <states>',
      about: `only these states: ${retryableStates.join(', ')} (default: all)`,
      parse: readStates,
    },
    { ...maxSpendOption, about: 'the new limit of paid calls of the batch, up to budget.perBatch' },
    { flags: '--yes', about: 'approve the cost without a question' },
  ],
  examples: [
    { line: 'vigia retry 12', about: 'Show the cost, ask for approval, and retry' },
    { line: 'vigia retry 12 --state failed,timed_out --yes', about: 'Retry only these, without a question' },
  ],

  async run(context, [text], options) {
    const id = readBatchId(text!)
    await using opened = await openContext(context.env)
    await using steering = await openSteering(opened, id)
    const wish = { states: options.state, maxSpend: options.maxSpend }
    const request: Retry = {
      ...steering.steering,
      ...retryBy(opened.settings, steering.batch.kind, opened.clock(), wish),
    }
    const quote = await quoteRetry(opened.sql, id, request)
    const affordable = affordableRetry(quote, steering.batch, request)
    const price = priceOf(opened.settings.budget.unitPrice, steering.batch.kind, affordable)
    if (!context.json) context.stderr.write(asCalled(`${renderRetry(quote, id, affordable, price)}\n`, context.env))
    const vain = isVain(quote, affordable)
    const approval = vain
      ? 'no'
      : await approvalForRetry(context, affordable, price, {
          ...options,
          confirmAbove: opened.settings.budget.confirmAbove,
        })
    const agreed = options.yes ? {} : { atMost: affordable }
    const retried = approval === 'yes' ? await retryBatch(opened.sql, id, { ...request, ...agreed }) : 0
    const answer = await toRetryView(
      opened.sql,
      { batch: steering.batch, quote, toPay: affordable, retried },
      opened.settings.budget.unitPrice,
    )
    const again = vain ? `vigia retry ${id} --max-spend N` : retryCommand(id, options)
    const stays = steering.batch.shown === 'paused' ? ` It stays paused until \`vigia resume ${id}\`.` : ''
    context.print(answer, () =>
      describe({ agreed: approval === 'yes', retried, workers: answer.workers, again, stays }),
    )
    return exitCodeOfApproval[approval]
  },
}

/** The same command, with the approval that was missing. */
const retryCommand = (id: bigint, { state, maxSpend }: Options): string => {
  const states = state ? [`--state ${state.join()}`] : []
  const limit = maxSpend === undefined ? [] : [`--max-spend ${maxSpend}`]
  return [`vigia retry ${id}`, ...states, ...limit, '--yes'].join(' ')
}

/** What is free needs no approval. If nobody can be asked, a new limit is an approval, up to `budget.confirmAbove`. */
const approvalForRetry = async (
  context: CommandContext,
  units: number,
  price: Price | null,
  { yes, maxSpend, confirmAbove }: Options & { confirmAbove: number | null },
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

function readStates(text: string): readonly RetryableState[] {
  const states = text.split(',').map((state) => state.trim())
  if (states.includes('unknown_outcome')) {
    throw new UsageError(
      'a parked row must be settled first: `vigia resolve ID --line N (--adopt REMOTE_ID | --resend | --drop)`',
    )
  }
  const known = (state: string): state is RetryableState => (retryableStates as readonly string[]).includes(state)
  if (states.every(known)) return states
  throw new UsageError(`--state takes ${retryableStates.join(', ')}, separated by commas, not "${text}"`)
}
