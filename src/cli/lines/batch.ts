import type { Settings } from '../../../config/settings.ts'
import { retryableStates } from '../../batches/retry.ts'
import { type Price, priceOf } from '../../domain/amount.ts'
import { holdEnds, needsPerson } from '../../domain/hold-ends.ts'
import { formatPurpose } from '../../domain/purpose.ts'
import { enTerms } from '../../messages/en/terms.ts'
import type { BatchStatus } from '../../views/batch-status.ts'
import type { HoldShown } from '../../views/incident.ts'
import { cureOf, resumeLanes } from './incident.ts'
import { counted, duration, localMoment, number, outcomes, priced, renderFacts, rowsAndDocuments } from './texts.ts'

/** One batch for people: its progress, its cost, and what holds it. */
export const renderStatus = (status: BatchStatus, { timezone, budget }: Settings): string => {
  const { batch, name, kind, organization, shown, rows, total, done, purpose, spend, inDoubt, times } = status
  const at = (time: string | null) => localMoment(time, timezone)
  const stopping = stoppingHold(status)
  return renderFacts([
    ['Batch', `${batch}  ${name} (${kind}, organization ${organization})`],
    ['State', shown],
    ['Purpose', purpose && formatPurpose(enTerms.legalBases, purpose)],
    ['Problem', status.problem],
    ['Not read', status.unreadSheets.map((name) => `sheet "${name}"`).join(', ') || null],
    ['Not asked', status.unaskedColumns.map((name) => `column ${JSON.stringify(name)}`).join(', ') || null],
    ['Rows', total === rows ? null : rowsAndDocuments(rows, total)],
    [
      total === rows ? 'Rows' : 'Documents',
      `${number(done - (status.states.cancelled ?? 0))} of ${number(total)} done`,
    ],
    ['Outcomes', outcomes(status.states)],
    ['Charged', chargedOf(spend, priceOf(budget.unitPrice, kind, spend.charged))],
    ['Bought elsewhere', spend.elsewhere > 0 ? `${number(spend.elsewhere)}, free` : null],
    ['Unknown outcome', inDoubt > 0 ? number(inDoubt) : null],
    [
      'Rate',
      status.ratePerSecond === null
        ? null
        : `${number(Math.round(status.ratePerSecond * 10) / 10)} ${total === rows ? 'rows' : 'documents'}/s`,
    ],
    ['Time left', progresses(status) && status.etaSeconds !== null ? duration(status.etaSeconds) : null],
    ['Held', stopping && holdLine(stopping, timezone)],
    ['Submitted', at(times.submitted)],
    ['Finished', at(times.finished)],
    ['Exported', at(times.exported)],
    ['Next', nextStep(status)],
  ])
}

const progresses = ({ open, shown, workers }: BatchStatus): boolean => open > 0 && shown === 'running' && workers > 0

/** A batch shown as running is not stopped by a held lane: it only fetches what was paid for. */
const stoppingHold = ({ shown, hold }: BatchStatus): HoldShown | null => (shown === 'running' ? null : hold)

export const holdLine = ({ lane, cause, detail, nextTry }: HoldShown, timezone: string): string => {
  const reason = detail ? `: ${detail}` : ''
  return `lane ${lane} (${cause}${reason})${nextTry ? `, tried again at ${localMoment(nextTry, timezone)}` : ''}`
}

const chargedOf = (spend: BatchStatus['spend'], price: Price | null): string => {
  const { limit, expected } = spend
  const of = expected > 0 ? ` of ${number(expected)} expected` : ''
  return `${priced(spend.charged, price)}${of}${stillOpen(spend)}${limit === null ? '' : `, at most ${number(limit)}`}`
}

/** Open calls may still be charged: the reader of the figure must not be surprised by it later. */
export const stillOpen = ({ open }: BatchStatus['spend']): string => (open > 0 ? `, ${number(open)} still open` : '')

/** What a person can do now; null if there is nothing to do. */
export const nextStep = (status: BatchStatus): string | null => {
  const { batch, state, workers, times, states, spend } = status
  const hold = stoppingHold(status)
  if (state === 'unconfirmed') return `\`vigia confirm ${batch}\` approves it, \`vigia cancel ${batch}\` cancels it`
  if (state === 'paused') return `\`vigia resume ${batch}\``
  if (hold && holdEnds[hold.cause].mustAct) return cureOfHold(hold)
  if (!times.finished && state !== 'rejected' && workers === 0) return 'no worker is running: `vigia worker` starts one'
  if (states.unknown_outcome) {
    return `${counted(states.unknown_outcome, 'row')} parked: \`vigia resolve ${batch} --line N\``
  }
  if (!times.finished || retryableRows(states) === 0) return null
  const limit = states.over_budget ? ` --max-spend N` : ''
  const above = limit && spend.limit !== null ? `, with N above ${number(spend.limit)},` : ''
  return `\`vigia retry ${batch}${limit}\`${above} retries the rows that got no answer`
}

/** A new token frees every lane by itself within minutes; a lane that is tried every few hours is resumed by hand. */
const cureOfHold = ({ cause, lane }: HoldShown): string | null => {
  const cure = cureOf(cause, [lane])
  const triedInHours = typeof holdEnds[cause].tried === 'object' && needsPerson(cause)
  return triedInHours ? `${cure}, then ${resumeLanes([lane])}` : cure
}

const retryableRows = (states: Record<string, number>): number =>
  retryableStates.reduce((rows, state) => rows + (states[state] ?? 0), 0)
