import type { CallFailure } from '../domain/call-failure.ts'
import type { Message } from '../messages/message.ts'
import { endpointOf, type Inquiry, Misshapen } from './call.ts'
import {
  AccessDenied,
  InvalidDocument,
  NotFound,
  OtherDocument,
  PlanBlocked,
  type Reason,
  Refused,
  TokenDead,
  TooManyRequests,
  Unanswered,
} from './errors.ts'
import { flagFrom, isOtherDocument, objectFrom, plainText, textFrom } from './loose.ts'

export type RawAnswer = { status: number; text: string; retryAfterMs?: number }

/** The reply to a question, or the failure that the answer means. The interface shows no codes, so the body decides. */
export const readReply = <Reply>(question: Inquiry<Reply>, answer: RawAnswer): Reply | CallFailure => {
  const body = parseBody(answer.text)
  const other = () => new OtherDocument(endpointOf(question), answer.status, question)
  if (namesAnother(question, answer.status, body)) return other()
  const named = failureNamedBy(question, answer.status, body)
  if (named) return named
  if (question.shapeOnly && !isSuccess(answer.status)) return failureByCode(question, answer, body)
  const reply = readShape(question.reply, body)
  const hasShape = !(reply instanceof Misshapen)
  if (hasShape && (question.fits?.(reply) ?? true)) return reply
  if (!isSuccess(answer.status) || body === undefined) return failureByCode(question, answer, body)
  return hasShape ? other() : misshapen(question, answer, reply.path)
}

const readShape = <Reply>(shape: Inquiry<Reply>['reply'], body: unknown): Reply | Misshapen => {
  if (typeof shape === 'function') return shape(body)
  const { data, error } = shape.safeParse(body)
  return error ? new Misshapen(...(error.issues[0]?.path ?? [])) : (data as Reply)
}

/**
 * Whether a reply names another document than the one asked about, in its envelope or in what that holds. What the
 * registry keeps in free form, such as the data of a licence, may name anybody. `code` is a document only where the
 * question uses that name; in an error's body it is the code of the error.
 */
const namesAnother = ({ about, body: asked }: Inquiry<unknown>, status: number, body: unknown): boolean => {
  const envelope = objectFrom(body)
  if (about === undefined || !envelope) return false
  const { result, register } = envelope
  const names = asked?.code !== undefined && isSuccess(status) ? ['code', ...documentNames] : documentNames
  return [envelope, register, ...(Array.isArray(result) ? result : [result])].some((part) => {
    const fields = objectFrom(part)
    return fields !== null && names.some((name) => isOtherDocument(fields[name], about))
  })
}

const documentNames = ['documentNumber', 'document']

const isSuccess = (status: number) => status >= 200 && status < 300

const failureByCode = (question: Inquiry<unknown>, answer: RawAnswer, body: unknown): CallFailure => {
  const { status, text, retryAfterMs } = answer
  const endpoint = endpointOf(question)
  if (status === 401) return new TokenDead(['token_refused', endpoint, status])
  if (status === 429) return new TooManyRequests(endpoint, retryAfterMs)
  if (status === 404 && question.on404 && (question.on404 === 'not_yet' || !isMarkup(text)))
    return new NotFound(endpoint, status, ['there_is_none'])
  if (status >= 500) return new Unanswered(['http', endpoint, status, errorName(body)], retryAfterMs)
  if (body === undefined) return new Unanswered(['http', endpoint, status, kindOfText(text)], retryAfterMs)
  if (status === 408 || status < 400) return new Unanswered(['http', endpoint, status, null], retryAfterMs)
  if (status === 403) return new AccessDenied(endpoint, status, reasonOf(body))
  return new Refused(endpoint, status, reasonOf(body))
}

const misshapen = (question: Inquiry<unknown>, answer: RawAnswer, path: PropertyKey[]): Unanswered => {
  const what: Message = ['body_misshapen', path.join('.') || null]
  return new Unanswered(['http', endpointOf(question), answer.status, what])
}

const isMarkup = (text: string) => text.trimStart().startsWith('<')

const kindOfText = (text: string): Message => {
  if (text.trim() === '') return ['body_empty']
  return isMarkup(text) ? ['body_html'] : ['body_not_json']
}

type ReplyFields = Record<string, unknown>

/** The failure that a body of the interface names, whatever code it came under; null for all other bodies. */
const failureNamedBy = (question: Inquiry<unknown>, status: number, body: unknown): CallFailure | null => {
  const fields = objectFrom(body)
  if (!fields) return null
  const naming = isRecord(fields) ? undefined : namings.get(nameIn(fields))
  if (naming) return naming(endpointOf(question), status, fields, question)
  if (status >= 400) return null
  const isRefusal = flagFrom(fields.success ?? fields.sucess) === false && !question.saysNothing?.(fields)
  const isError = !question.spends && isErrorBody(fields)
  return isRefusal || isError ? new Refused(endpointOf(question), status, reasonOf(fields)) : null
}

type Naming = (endpoint: string, status: number, fields: ReplyFields, question: Inquiry<unknown>) => CallFailure

/** Section 7 of the interface, and the usual name for a token that is not accepted, which section 7 does not show. */
const namings = new Map<unknown, Naming>([
  ['PLAN_NOT_ALLOWED', refusing(PlanBlocked)],
  ['INVALID_DOCUMENT', refusing(InvalidDocument)],
  ['ErrorForbiddenException', refusing(AccessDenied)],
  ['WrongParameterException', refusing(Refused)],
  ['UnauthorizedException', (endpoint, status) => new TokenDead(['unauthorized', endpoint, status])],
  ['ObjectNotFoundException', notFound],
  ['InternalServerError', (endpoint, status, fields) => new Unanswered(['http', endpoint, status, errorName(fields)])],
])

function refusing(failure: new (endpoint: string, status: number, reason: Reason) => CallFailure): Naming {
  return (endpoint, status, fields) => new failure(endpoint, status, reasonOf(fields))
}

const nameIn = (fields: ReplyFields) => [fields.error, fields.type, fields.status].find((name) => namings.has(name))

/** One name for three things: no such process, no such CNH, and `email required`, which is about neither. */
function notFound(...[endpoint, status, fields, question]: Parameters<Naming>): CallFailure {
  const message = textFrom(fields.message) ?? ''
  const isNotFound = /processNumber/i.test(message) || (question.on404 && !/e-?mail/i.test(message))
  return refusing(isNotFound ? NotFound : Refused)(endpoint, status, fields, question)
}

/** A record may have any text in its own status. */
const isRecord = (fields: ReplyFields) => 'requestId' in fields || 'result' in fields || 'register' in fields

/** `{message, error}` or `{type, message}`: a form that the interface shows, with a name that it does not. */
const isErrorBody = ({ message, error, type, ...rest }: ReplyFields): boolean => {
  const isNamed = typeof error === 'string' || typeof type === 'string'
  return typeof message === 'string' && isNamed && Object.keys(rest).length === 0
}

/** The name that a reply gives to its error, such as `InternalServerError`; empty where it gives none. */
const errorName = (body: unknown): string => {
  const { error, type, status } = objectFrom(body) ?? {}
  return clean([error, type, status].find((name) => typeof name === 'string' && /^[A-Za-z_]+$/.test(name)) ?? '')
}

/** Why the registry refused, as the registry put it: safe to log, store and show. */
export const reasonOf = (body: unknown): Reason => {
  const { reason, message } = objectFrom(body) ?? {}
  const text = clean(textFrom(reason) || textFrom(message) || '')
  return [errorName(body), text].filter(Boolean).join(': ') || ['no_reason']
}

const clean = (text: unknown): string => plainText(String(text)).slice(0, 200)

/**
 * The JSON of a reply, or undefined where it is not JSON.
 *
 * What JSON.parse would let through is repaired, on a slow path that few bodies need. Integers above 2^53 keep their
 * digits as text, and so do numbers that would be infinite. NUL and lone surrogates go: PostgreSQL stores neither.
 */
export const parseBody = (text: string): unknown => {
  try {
    return needsRepair(text) ? JSON.parse(text, repair) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Cheap on the bodies that need nothing, which are nearly all of them. */
const needsRepair = (text: string) =>
  longId.test(text) || largeNumber.test(text) || (text.includes('\\u') && badCharacter.test(text))

const longId = /id"\s*:\s*\d{16}/i
/** A number of more than 308 digits is written with 200 digits in a row, or with an exponent of three. */
const largeNumber = /\d{200}|\de\+?\d{3}/i
const badCharacter = /\\u(?:0000|d[89a-f])/i

const repair = (_key: string, value: unknown, context?: { source?: string }): unknown => {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (typeof value !== 'number') return value
  if (!Number.isFinite(value)) return context?.source ?? null
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
  return isRounded && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value
}
