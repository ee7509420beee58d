import { CallFailure } from '../domain/call-failure.ts'
import type { Message } from '../messages/message.ts'

/** Why the registry refused: its own text, or our message where it gave none. */
export type Reason = string | Message

/** The request was never sent: there was no connection, or it was given up while it waited for its turn. */
export class NotSent extends CallFailure {
  override readonly name = 'NotSent'
  readonly outcome = 'not_sent'
  override readonly keptBack: boolean

  constructor(endpoint: string | null, why: Message, { keptBack = false } = {}) {
    super(['call_not_sent', endpoint, why])
    this.keptBack = keptBack
  }
}

/**
 * The request was sent and no usable answer came back: closed, too slow, 5xx, HTML, empty, oversized or misshapen.
 *
 * The registry may have done the work all the same, so a spending call must be reconciled before it is sent again.
 */
export class Unanswered extends CallFailure {
  override readonly name = 'Unanswered'
  readonly outcome = 'unknown'
  override readonly retryAfterMs: number | undefined

  constructor(what: Message, retryAfterMs?: number) {
    super(what)
    this.retryAfterMs = retryAfterMs
  }
}

/** The registry has failed many times in a row; nothing is sent until the next trial is due. */
export class Outage extends CallFailure {
  override readonly name = 'Outage'
  readonly outcome = 'not_sent'
  override readonly holds = 'outage'
  override readonly retryAfterMs: number

  constructor(endpoint: string, retryAfterMs: number) {
    super(['outage', endpoint, Math.ceil(retryAfterMs / 1000)])
    this.retryAfterMs = retryAfterMs
  }
}

/** The registry asks to slow down; `retryAfterMs` is the wait that it asked for, if it gave one. */
export class TooManyRequests extends CallFailure {
  override readonly name = 'TooManyRequests'
  readonly outcome = 'refused'
  override readonly retryAfterMs: number | undefined

  constructor(endpoint: string, retryAfterMs?: number) {
    super(['http', endpoint, 429, ['too_many']])
    this.retryAfterMs = retryAfterMs
  }
}

/** The access token is not accepted and could not be renewed; only a new token helps. */
export class TokenDead extends CallFailure {
  override readonly name = 'TokenDead'
  readonly outcome = 'refused'
  override readonly holds = 'token'

  constructor(what: Message) {
    super(['new_token', what])
  }
}

/** The registry answered with a reason, and did nothing. */
export abstract class RefusedCall extends CallFailure {
  /** What a person should check. */
  static readonly advice: 'check_access' | 'check_plan' | null = null
  readonly outcome = 'refused'

  constructor(endpoint: string, status: number, reason: Reason) {
    const answer: Message = ['http', endpoint, status, reason]
    super(new.target.advice ? [new.target.advice, answer] : answer)
  }
}

/** The caller may not use this organization (ErrorForbiddenException, Interface 7). */
export class AccessDenied extends RefusedCall {
  static override readonly advice = 'check_access'
  override readonly name = 'AccessDenied'
  override readonly holds = 'denied'
}

/** The plan does not permit this request, or has no units left (PLAN_NOT_ALLOWED, Interface 7). */
export class PlanBlocked extends RefusedCall {
  static override readonly advice = 'check_plan'
  override readonly name = 'PlanBlocked'
  override readonly holds = 'plan'
}

/** The registry does not accept the document; this answer is final (INVALID_DOCUMENT, Interface 7). */
export class InvalidDocument extends RefusedCall {
  override readonly name = 'InvalidDocument'
  override readonly retryable = false
  override readonly finalState = 'invalid_document'
}

/** The registry has no such CNH (404) or process number; this answer is final. (Interface 7) */
export class NotFound extends RefusedCall {
  override readonly name = 'NotFound'
  override readonly retryable = false
  override readonly finalState = 'not_found'
}

/** For a `catch` of an operation whose answer is null where there is nothing. */
export const nullIfNotFound = (failure: unknown): null => {
  if (failure instanceof NotFound) return null
  throw failure
}

/**
 * The reply is about another document or request than the one asked about, so nothing of it is used. A spending call may
 * have done its work all the same; any other call is repeated until the deadline.
 */
export class OtherDocument extends CallFailure {
  override readonly name = 'OtherDocument'
  readonly outcome: 'refused' | 'unknown'

  constructor(endpoint: string, status: number, { spends = false }: { spends?: boolean }) {
    super(['http', endpoint, status, ['other_document']])
    this.outcome = spends ? 'unknown' : 'refused'
  }
}

/** The registry answered and did nothing: `success: false`, or a 4xx with a readable body. */
export class Refused extends RefusedCall {
  override readonly name = 'Refused'
}

/** A temporary address that gave no file. Its query is a secret, so only the host is shown. */
export class DownloadFailed extends Error {
  override readonly name = 'DownloadFailed'

  constructor(host: string, what: string) {
    super(`The download from ${host} failed: ${what}`)
  }
}

/** An address from outside that leads into our own network, or that must not be followed at all. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'

  constructor(host: string) {
    super(`${host} is not a public address, so nothing was sent to it`)
  }
}

/** An address of the settings did not accept a message. The address is not shown, because it may carry a secret. */
export class OutsideFailure extends Error {
  override readonly name = 'OutsideFailure'

  constructor(setting: string, what: string) {
    super(`POST to ${setting} ${what}`)
  }
}
