import { MessageError } from './messages/message-error.ts'

/** Why a lane stops: something that makes every further call of its kind fail the same way. */
export const holdCauses = [
  'token',
  'plan',
  'denied',
  'refused',
  'fetch_refused',
  'outage',
  'list',
  'budget',
  'operator',
] as const
export type HoldCause = (typeof holdCauses)[number]

/**
 * What went wrong in a call to the registry, as the questions a caller may ask.
 *
 * The interface has no idempotency key, so `outcome` is the one that protects money:
 * `not_sent` never reached the registry, `refused` was answered and did nothing,
 * `unknown` may have been worked and must be reconciled before it is sent again.
 */
export abstract class CallFailure extends MessageError {
  abstract readonly retryable: boolean
  abstract readonly outcome: 'not_sent' | 'refused' | 'unknown'
  readonly holds: HoldCause | null = null
  readonly retryAfterMs: number | undefined = undefined
  /** We kept the call back ourselves: that is no failure of the look-up, nor of the registry. */
  readonly keptBack: boolean = false
  /** The registry's own last word about this document, where it gave one. */
  readonly finalState: 'invalid_document' | 'not_found' | null = null
}

/** For a `catch` after which a failed call is an answer like others; whatever else went wrong is thrown on. */
export const callFailureOf = (error: unknown): CallFailure => {
  if (error instanceof CallFailure) return error
  throw error
}
