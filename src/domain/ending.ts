import { CallFailure, type HoldCause } from './call-failure.ts'
import type { RiskSummary } from './classifications.ts'
import type { FinalState, Remote } from './lookup.ts'
import type { Said } from './said/said.ts'

/** What the registry said about a document: risk totals, a count, or an object whose keys the interface does not show. */
export type Answer = { summary?: RiskSummary; total?: number; data?: unknown }

/** How one step of a look-up ended, in words. */
export type Ending =
  | { is: 'ok'; answer: Answer; asOf: Date | null; remote: Remote | null; seen: string | null }
  | { is: 'accepted'; remote: Remote | null; seen: string | null }
  | { is: 'later'; seen: string | null }
  | { is: 'given_up'; state: FinalState; reason: Said; isRefusal?: boolean }
  | { is: 'refused'; reason: Said; retryAfterMs: number | undefined; isRefusal?: boolean }
  | { is: 'refused_unproven'; as: FinalState | 'queued'; reason: Said }
  | { is: 'not_sent'; reason: Said; retryAfterMs: number | undefined }
  | { is: 'silence'; reason: Said; retryAfterMs: number | undefined }
  | { is: 'held'; cause: HoldCause; reason: Said; retryAfterMs?: number; isRefusal?: boolean }
  | { is: 'put_back'; reason: Said }
  | { is: 'adopted'; remote: Remote | null; seen: string | null; charged: 'yes' | 'unknown' }
  | { is: 'absent'; lateAt: Date | null }
  | { is: 'unproven'; reason: Said; lateAt: Date | null }
  | { is: 'unjudged'; reason: Said }
  | { is: 'undecided'; reason: Said }

/** The answer is here. */
export const ok = (
  answer: Answer,
  known: { asOf?: Date | null; remote?: Remote | null; seen?: string | null } = {},
): Ending => ({
  is: 'ok',
  answer,
  asOf: known.asOf ?? null,
  remote: known.remote ?? null,
  seen: known.seen ?? null,
})

/** The registry took the order; its answer comes later. */
export const accepted = (remote: Remote | null, seen: string | null = null): Ending => ({
  is: 'accepted',
  remote,
  seen,
})

/** Not ready: again after a while, no failure, until the deadline. */
export const later = ({ seen }: { seen: string | null }): Ending => ({ is: 'later', seen })

/** Not done, and why: again after a while as if nothing had been begun, until the deadline; then it fails for that reason. */
export const putOff = (reason: Said): Ending => ({ is: 'refused', reason, retryAfterMs: undefined })

/** Never again, and why. */
export const giveUp = (state: FinalState, reason: Said) => ({ is: 'given_up', state, reason }) satisfies Ending

/** A lost answer was found at the registry, and what it cost is known, or may have been paid by somebody else. */
export const adopted = (remote: Remote | null, seen: string | null, charged: 'yes' | 'unknown' = 'yes'): Ending => ({
  is: 'adopted',
  remote,
  seen,
  charged,
})

/** The registry's complete list does not show the call. It may lag: from `lateAt` on that would prove something; null: it does. */
export const absent = (lateAt: Date | null): Ending => ({ is: 'absent', lateAt })

/** A list that is not complete does not show the call, which proves nothing, and from `lateAt` on never will. */
export const unproven = (reason: Said, lateAt: Date | null): Ending => ({ is: 'unproven', reason, lateAt })

/** Nobody can tell whether the call was worked: a person decides. */
export const undecided = (reason: Said): Ending => ({ is: 'undecided', reason })

/**
 * The same ending for a look-up in doubt that is being judged, not sent.
 *
 * Only the registry's own evidence may take it out of doubt: whatever went wrong while reading that leaves it there.
 */
export const whileJudging = (ending: Ending): Ending => {
  if (judgements.includes(ending.is)) return ending
  return { is: 'unjudged', reason: 'reason' in ending ? ending.reason : ['no_judgement', ending.is] }
}

const judgements: readonly Ending['is'][] = ['adopted', 'absent', 'unproven', 'undecided']

/**
 * The same ending for a paid call: one that the registry refused may have been charged all the same, and what becomes of
 * the look-up waits until the purchase list was read.
 */
export const whilePaying = (ending: Ending): Ending => {
  if (!('isRefusal' in ending && ending.isRefusal)) return ending
  return { is: 'refused_unproven', as: ending.is === 'given_up' ? ending.state : 'queued', reason: ending.reason }
}

/** What a thrown error means for the look-up it happened to. One that no call explains may have come after the call. */
export const endingOf = (error: unknown): Ending => {
  if (error instanceof CallFailure) return endingOfFailure(error)
  return {
    is: 'silence',
    reason: ['unexpected', error instanceof Error ? error.name : 'error'],
    retryAfterMs: undefined,
  }
}

/** The same ending where the call itself was never made: silence about something else leaves nothing in doubt. */
export const asNotSent = (ending: Ending): Ending => (ending.is === 'silence' ? { ...ending, is: 'not_sent' } : ending)

const endingOfFailure = (failure: CallFailure): Ending => {
  const { said: reason, retryAfterMs, outcome, holds } = failure
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
