import type { Message } from '../messages/message.ts'
import { CallFailure, type HoldCause } from './call-failure.ts'
import type { RiskSummary } from './classifications.ts'
import type { FinalState, Remote } from './lookup.ts'

/** What the registry answered about a document: risk totals, a count, or an object whose keys the interface does not show. */
export type Answer = { summary?: RiskSummary; total?: number; data?: unknown; fields?: Partial<AnswerFields> }

/** The outcome of one step of a look-up. */
export type Outcome =
  | { is: 'ok'; answer: Answer; asOf: Date | null; remote: Remote | null; seen: string | null }
  | { is: 'accepted'; remote: Remote | null; seen: string | null; fields?: Partial<PurchaseFields> }
  | { is: 'later'; seen: string | null; note?: string | null }
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
): Outcome => ({ is: 'ok', answer, asOf: known.asOf ?? null, remote: known.remote ?? null, seen: known.seen ?? null })

/** The registry accepted the request; its answer comes later. */
export const accepted = (
  remote: Remote | null,
  seen: string | null = null,
  fields?: Partial<PurchaseFields>,
): Outcome => ({ is: 'accepted', remote, seen, ...(fields && { fields }) })

/** Not ready: tried again after a while, which is no failure, until the deadline. */
export const later = ({ seen, note = null }: { seen: string | null; note?: string | null }): Outcome => ({
  is: 'later',
  seen,
  ...(note && { note }),
})

/** Not done, and why: tried again after a while as if nothing had been begun. At the deadline it fails for that reason. */
export const putOff = (reason: Message): Outcome => ({ is: 'refused', reason, retryAfterMs: undefined })

/** Never tried again, and why. */
export const giveUp = (state: FinalState, reason: Message) => ({ is: 'given_up', state, reason }) satisfies Outcome

/** A lost answer was found at the registry. Its cost is known, or somebody else may have paid it. */
export const adopted = (remote: Remote | null, seen: string | null, charged: 'yes' | 'unknown' = 'yes'): Outcome => ({
  is: 'adopted',
  remote,
  seen,
  charged,
})

/** The registry's complete list does not show the call. The list may lag: it proves something from `lateAt` on; null: now. */
export const absent = (lateAt: Date | null): Outcome => ({ is: 'absent', lateAt })

/** An incomplete list does not show the call, which proves nothing. From `lateAt` on the list would never show it. */
export const unproven = (reason: Message, lateAt: Date | null): Outcome => ({ is: 'unproven', reason, lateAt })

/** Nobody can know whether the call was processed: a person decides. */
export const undecided = (reason: Message): Outcome => ({ is: 'undecided', reason })

/**
 * The same outcome for a look-up whose call is being judged, not sent.
 *
 * Only evidence from the registry may settle the call. If anything goes wrong while the evidence is read, the outcome of
 * the call stays unknown.
 */
export const whileJudging = (outcome: Outcome): Outcome => {
  if (judgements.includes(outcome.is)) return outcome
  return { is: 'unjudged', reason: 'reason' in outcome ? outcome.reason : ['no_judgement', outcome.is] }
}

const judgements: readonly Outcome['is'][] = ['adopted', 'absent', 'unproven', 'undecided']

/**
 * The same outcome for a paid call. If the registry refused it, it may still have been charged, so the state of the look-up
 * is decided only after the purchase list was read.
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

/** The same outcome if the call itself was never made: silence from another call leaves no unknown outcome. */
export const asNotSent = (outcome: Outcome): Outcome =>
  outcome.is === 'silence' ? { ...outcome, is: 'not_sent' } : outcome

const outcomeOfFailure = (failure: CallFailure): Outcome => {
  const { reason, retryAfterMs, outcome, holds } = failure
  // A request with a rejected token was not processed.
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

/** What the registry says about a purchase when it accepts it, and may repeat with the answer. */
export type PurchaseFields = {
  /** The registry's own name for the document. */
  name: string | null
  /** How many court cases it expects. */
  estimated: number | null
  /** The organization's analysis of the document before this one. */
  previousId: string | null
}

/** What an answer holds beside its figures. */
export type AnswerFields = PurchaseFields & {
  /** Whether protests were searched; null if the registry did not say. */
  protestStatus: string | null
  plan: string | null
  protestId: string | null
  bucket: string | null
  folder: string | null
  fileName: string | null
  /** The address of the partial spreadsheet. */
  partial: string | null
  terms: string[]
  /** Everything else, as it was sent. */
  rest: Record<string, unknown> | null
}

/** The start of two addresses is the same, and is stored once. */
export const shortenAddress = (address: string, beside: string | null): string => {
  let same = 0
  while (beside !== null && same < address.length && address[same] === beside[same]) same++
  return `${same}:${address.slice(same)}`
}

export const fullAddress = (stored: string, beside: string | null): string => {
  const at = stored.indexOf(':')
  return `${beside?.slice(0, Number(stored.slice(0, at))) ?? ''}${stored.slice(at + 1)}`
}
