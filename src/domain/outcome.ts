import { CallFailure, type HoldCause } from './call-failure.ts'
import type { RiskSummary } from './classifications.ts'
import type { FinalState, Remote } from './lookup.ts'
import type { Message } from './messages/message.ts'

/** What the registry said about a document: risk totals, a count, or an object whose keys the interface does not show. */
export type Answer = { summary?: RiskSummary; total?: number; data?: unknown }

/** How one step of a look-up ended, in words. */
export type Outcome =
  | { is: 'ok'; answer: Answer; asOf: Date | null; remote: Remote | null; seen: string | null }
  | { is: 'accepted'; remote: Remote | null; seen: string | null }
  | { is: 'later'; seen: string | null }
  | { is: 'given_up'; state: FinalState; reason: Message; isRefusal?: boolean }
  | { is: 'refused'; reason: Message; retryAfterMs: number | undefined; isRefusal?: boolean }
  | { is: 'refused_unproven'; as: FinalState | 'queued'; reason: Message }
  | { is: 'not_sent'; reason: Message; retryAfterMs: number | undefined }
  | { is: 'silence'; reason: Message; retryAfterMs: number | undefined }
  | { is: 'held'; cause: HoldCause; reason: Message; retryAfterMs?: number; isRefusal?: boolean }
  | { is: 'put_back'; reason: Message }
  | { is: 'adopted'; remote: Remote | null; seen: string | null; charged: 'yes' | 'unknown' }
  | { is: 'absent'; lateAt: Date | null }
  | { is: 'unproven'; reason: Message; lateAt: Date | null }
  | { is: 'unjudged'; reason: Message }
  | { is: 'undecided'; reason: Message }

/** The answer is here. */
export const ok = (
  answer: Answer,
  known: { asOf?: Date | null; remote?: Remote | null; seen?: string | null } = {},
): Outcome => ({
  is: 'ok',
  answer,
  asOf: known.asOf ?? null,
  remote: known.remote ?? null,
  seen: known.seen ?? null,
})

/** The registry took the order; its answer comes later. */
export const accepted = (remote: Remote | null, seen: string | null = null): Outcome => ({
  is: 'accepted',
  remote,
  seen,
})

/** Not ready: again after a while, no failure, until the deadline. */
export const later = ({ seen }: { seen: string | null }): Outcome => ({ is: 'later', seen })

/** Not done, and why: again after a while as if nothing had been begun, until the deadline; then it fails for that reason. */
export const putOff = (reason: Message): Outcome => ({ is: 'refused', reason, retryAfterMs: undefined })

/** Never again, and why. */
export const giveUp = (state: FinalState, reason: Message) => ({ is: 'given_up', state, reason }) satisfies Outcome

/** A lost answer was found at the registry, and what it cost is known, or may have been paid by somebody else. */
export const adopted = (remote: Remote | null, seen: string | null, charged: 'yes' | 'unknown' = 'yes'): Outcome => ({
  is: 'adopted',
  remote,
  seen,
  charged,
})

/** The registry's complete list does not show the call. It may lag: from `lateAt` on that would prove something; null: it does. */
export const absent = (lateAt: Date | null): Outcome => ({ is: 'absent', lateAt })

/** A list that is not complete does not show the call, which proves nothing, and from `lateAt` on never will. */
export const unproven = (reason: Message, lateAt: Date | null): Outcome => ({ is: 'unproven', reason, lateAt })

/** Nobody can tell whether the call was worked: a person decides. */
export const undecided = (reason: Message): Outcome => ({ is: 'undecided', reason })

/**
 * The same ending for a look-up in doubt that is being judged, not sent.
 *
 * Only the registry's own evidence may take it out of doubt: whatever went wrong while reading that leaves it there.
 */
export const whileJudging = (outcome: Outcome): Outcome => {
  if (judgements.includes(outcome.is)) return outcome
  return { is: 'unjudged', reason: 'reason' in outcome ? outcome.reason : ['no_judgement', outcome.is] }
}

const judgements: readonly Outcome['is'][] = ['adopted', 'absent', 'unproven', 'undecided']

/**
 * The same ending for a paid call: one that the registry refused may have been charged all the same, and what becomes of
 * the look-up waits until the purchase list was read.
 */
export const whilePaying = (outcome: Outcome): Outcome => {
  if (!('isRefusal' in outcome && outcome.isRefusal)) return outcome
  return { is: 'refused_unproven', as: outcome.is === 'given_up' ? outcome.state : 'queued', reason: outcome.reason }
}

/** What a thrown error means for the look-up it happened to. One that no call explains may have come after the call. */
export const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof CallFailure) return outcomeOfFailure(error)
  return {
    is: 'silence',
    reason: ['unexpected', error instanceof Error ? error.name : 'error'],
    retryAfterMs: undefined,
  }
}

/** The same ending where the call itself was never made: silence about something else leaves nothing in doubt. */
export const asNotSent = (outcome: Outcome): Outcome =>
  outcome.is === 'silence' ? { ...outcome, is: 'not_sent' } : outcome

const outcomeOfFailure = (failure: CallFailure): Outcome => {
  const { reason, retryAfterMs, outcome, holds } = failure
  // A token that is not accepted let nothing in.
  const isRefusal = outcome === 'refused' && holds !== 'token'
  if (failure.keptBack) return { is: 'put_back', reason }
  if (holds && outcome !== 'unknown') return { is: 'held', cause: holds, reason, retryAfterMs, isRefusal }
  if (failure.finalState) return { ...giveUp(failure.finalState, reason), isRefusal }
  if (outcome === 'unknown') return { is: 'silence', reason, retryAfterMs }
  if (!failure.retryable) return { ...giveUp('failed', reason), isRefusal }
  return outcome === 'not_sent'
    ? { is: 'not_sent', reason, retryAfterMs }
    : { is: 'refused', reason, retryAfterMs, isRefusal }
}
