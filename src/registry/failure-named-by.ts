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
import { flagFrom, objectFrom, plainText, textFrom } from './loose.ts'

type ReplyFields = Record<string, unknown>

/** The failure that a body of the interface names, whatever code it came under; null for all other bodies. */
export const failureNamedBy = (question: Inquiry<unknown>, status: number, body: unknown): CallFailure | null => {
  const fields = objectFrom(body)
  if (!fields) return null
  const naming = isRecord(fields) ? undefined : namings.get(nameIn(fields))
  if (naming) return naming(question, status, fields)
  if (status >= 400) return null
  const isRefusal = flagFrom(fields.success ?? fields.sucess) === false && !question.saysNothing?.(fields)
  const isError = !question.spends && isErrorBody(fields)
  return isRefusal || isError ? new Refused(endpointOf(question), status, reasonOf(fields)) : null
}

/** Section 7 of the interface, and the usual name for a token that is not accepted, which section 7 does not show. */
const namings = new Map<unknown, (question: Inquiry<unknown>, status: number, fields: ReplyFields) => CallFailure>([
  ['PLAN_NOT_ALLOWED', (question, status, fields) => new PlanBlocked(endpointOf(question), status, reasonOf(fields))],
  [
    'INVALID_DOCUMENT',
    (question, status, fields) => new InvalidDocument(endpointOf(question), status, reasonOf(fields)),
  ],
  [
    'ErrorForbiddenException',
    (question, status, fields) => new AccessDenied(endpointOf(question), status, reasonOf(fields)),
  ],
  [
    'WrongParameterException',
    (question, status, fields) => new Refused(endpointOf(question), status, reasonOf(fields)),
  ],
  ['UnauthorizedException', (question, status) => new TokenDead(['unauthorized', endpointOf(question), status])],
  ['ObjectNotFoundException', notFound],
  [
    'InternalServerError',
    (question, status, fields) => new Unanswered(['http', endpointOf(question), status, errorName(fields)]),
  ],
])

const nameIn = (fields: ReplyFields) => [fields.error, fields.type, fields.status].find((name) => namings.has(name))

/** One name for three things: no such process, no such CNH, and `email required`, which is about neither. */
function notFound(question: Inquiry<unknown>, status: number, fields: ReplyFields): CallFailure {
  const message = textFrom(fields.message) ?? ''
  const isNotFound = /processNumber/i.test(message) || (question.on404 && !/e-?mail/i.test(message))
  return isNotFound
    ? new NotFound(endpointOf(question), status, reasonOf(fields))
    : new Refused(endpointOf(question), status, reasonOf(fields))
}

/** A record may have any text in its own status. */
const isRecord = (fields: ReplyFields) => 'requestId' in fields || 'result' in fields || 'register' in fields

/** `{message, error}` or `{type, message}`: a form that the interface shows, with a name that it does not. */
const isErrorBody = ({ message, error, type, ...rest }: ReplyFields): boolean => {
  const isNamed = typeof error === 'string' || typeof type === 'string'
  return typeof message === 'string' && isNamed && Object.keys(rest).length === 0
}

/** The name that a reply gives to its error, such as `InternalServerError`; empty where it gives none. */
export function errorName(body: unknown): string {
  const { error, type, status } = objectFrom(body) ?? {}
  return clean([error, type, status].find((name) => typeof name === 'string' && /^[A-Za-z_]+$/.test(name)) ?? '')
}

/** Why the registry refused, as the registry put it: safe to log, store and show. */
export function reasonOf(body: unknown): Reason {
  const { reason, message } = objectFrom(body) ?? {}
  const text = clean(textFrom(reason) || textFrom(message) || '')
  return [errorName(body), text].filter(Boolean).join(': ') || ['no_reason']
}

const clean = (text: unknown): string => plainText(String(text)).slice(0, 200)
