import { MessageError } from '../messages/message.ts'

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
 * The interface has no idempotency key, so `outcome` is the property that protects money: `not_sent` never reached the
 * registry, `refused` was answered and did nothing, `unknown` may have been processed and must be reconciled before it is
 * sent again.
 */
export abstract class CallFailure extends MessageError {
  readonly retryable: boolean = true
  abstract readonly outcome: 'not_sent' | 'refused' | 'unknown'
  readonly holds: HoldCause | null = null
  readonly retryAfterMs: number | undefined = undefined
  /** We did not send the call, which is a failure neither of the look-up nor of the registry. */
  readonly keptBack: boolean = false
  /** The final state that the registry itself gives for this document, if any. */
  readonly finalState: 'invalid_document' | 'not_found' | null = null
}

/** For a `catch` that treats a failed call as a result: rethrows any other error. */
export const callFailureOf = (error: unknown): CallFailure => {
  if (error instanceof CallFailure) return error
  throw error
}
