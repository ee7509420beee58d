import type { CallFailure } from '../domain/call-failure.ts'
import { endpointOf, type Inquiry } from './call.ts'
import {
  AccessDenied,
  InvalidDocument,
  NotFound,
  PlanBlocked,
  type Reason,
  Refused,
  TokenDead,
  Unanswered,
} from './errors.ts'
import { flagFrom, objectFrom, plainWords, textFrom } from './loose.ts'

type Told = Record<string, unknown>

/** The failure that a body of the interface names by itself, whatever code it came under; null for all other bodies. */
export const failureNamedBy = (question: Inquiry<unknown>, status: number, body: unknown): CallFailure | null => {
  const told = objectFrom(body)
  if (!told) return null
  const naming = isRecord(told) ? undefined : namings.get(nameIn(told))
  if (naming) return naming(question, status, told)
  if (status >= 400) return null
  const saidNo = flagFrom(told.success ?? told.sucess) === false && !question.saysNothing?.(told)
  const saidError = !question.spends && isErrorBody(told)
  return saidNo || saidError ? new Refused(endpointOf(question), status, reasonOf(told)) : null
}

/** Section 7 of the interface, and the usual name for a token that is not accepted, which it does not show. */
const namings = new Map<unknown, (question: Inquiry<unknown>, status: number, told: Told) => CallFailure>([
  ['PLAN_NOT_ALLOWED', (question, status, told) => new PlanBlocked(endpointOf(question), status, reasonOf(told))],
  ['INVALID_DOCUMENT', (question, status, told) => new InvalidDocument(endpointOf(question), status, reasonOf(told))],
  [
    'ErrorForbiddenException',
    (question, status, told) => new AccessDenied(endpointOf(question), status, reasonOf(told)),
  ],
  ['WrongParameterException', (question, status, told) => new Refused(endpointOf(question), status, reasonOf(told))],
  ['UnauthorizedException', (question, status) => new TokenDead(['unauthorized', endpointOf(question), status])],
  ['ObjectNotFoundException', notFound],
  [
    'InternalServerError',
    (question, status, told) => new Unanswered(['http', endpointOf(question), status, errorName(told)]),
  ],
])

const nameIn = (told: Told) => [told.error, told.type, told.status].find((word) => namings.has(word))

/** One name for three things: no such process, no such CNH, and `email required`, which says nothing about either. */
function notFound(question: Inquiry<unknown>, status: number, told: Told): CallFailure {
  const message = textFrom(told.message) ?? ''
  const isWord = /processNumber/i.test(message) || (question.on404 && !/e-?mail/i.test(message))
  return isWord
    ? new NotFound(endpointOf(question), status, reasonOf(told))
    : new Refused(endpointOf(question), status, reasonOf(told))
}

/** A record may carry any word in its own status. */
const isRecord = (told: Told) => 'requestId' in told || 'result' in told || 'register' in told

/** `{message, error}` or `{type, message}`: a form that the interface shows, with a name that it does not. */
const isErrorBody = ({ message, error, type, ...rest }: Told): boolean => {
  const isNamed = typeof error === 'string' || typeof type === 'string'
  return typeof message === 'string' && isNamed && Object.keys(rest).length === 0
}

/** The name that a reply gives to its error, such as `InternalServerError`; empty where it gives none. */
export function errorName(body: unknown): string {
  const { error, type, status } = objectFrom(body) ?? {}
  return clean([error, type, status].find((name) => typeof name === 'string' && /^[A-Za-z_]+$/.test(name)) ?? '')
}

/** Why the registry refused, in its own words: safe to log, store and show. */
export function reasonOf(body: unknown): Reason {
  const { reason, message } = objectFrom(body) ?? {}
  const words = clean(textFrom(reason) || textFrom(message) || '')
  return [errorName(body), words].filter(Boolean).join(': ') || ['no_reason']
}

const clean = (text: unknown): string => plainWords(String(text)).slice(0, 200)
