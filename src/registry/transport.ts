import { Pool } from 'undici'
import type { CallFailure } from '../domain/call-failure.ts'
import { endpointOf, type Inquiry } from './call.ts'
import { NotSent, Unanswered } from './errors.ts'
import { exchange, type Limits, type Lost, textOf } from './exchange.ts'
import { parseBody, type RawAnswer } from './read-reply.ts'
import { createListSplitter } from './split-list.ts'

type Transport = {
  /** Sends one request, once, and returns what came back; a failure says whether anything may have been sent. */
  send(
    question: Inquiry<unknown>,
    bearer: string,
    limits: Limits,
    signal?: AbortSignal,
  ): Promise<RawAnswer | CallFailure>
  close(): Promise<void>
}

type Settings = { url: string; connections: number; now: () => Date; refreshToken: string }

/** HTTP on keep-alive connections, one per open request: with fewer, requests wait; with more, connections churn. */
export const createTransport = ({ url, connections, now, refreshToken }: Settings): Transport => {
  const { origin, pathname } = new URL(url)
  const prefix = pathname.replace(/\/+$/, '')
  const pool = new Pool(origin, {
    connections,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  const cleanersOf = createCleaners(refreshToken)

  return {
    async send(question, bearer, limits, signal) {
      const path = fillPath(question.path, question.at)
      if (path === null) return new NotSent(endpointOf(question), ['path_missing'])
      const request = {
        method: question.method,
        path: prefix + withQuery(path, question.query),
        headers: headersOf(question, bearer),
        body: question.body && JSON.stringify(question.body),
      }
      const clean = question.renews ? (text: string) => text : cleanersOf(bearer)
      const list = question.items && openList(question.items, clean)
      const outcome = await exchange(pool, request, limits, { signal, take: list?.take })
      if ('why' in outcome) return failureFrom(question, outcome)
      const encoding = outcome.headers['content-encoding']
      const text = await textOf(outcome.bytes, encoding, limits.maxBodyBytes)
      if (text === null) return new Unanswered(['http', endpointOf(question), outcome.status, ['body_undecodable']])
      const wait = outcome.headers['retry-after']
      const answer = { status: outcome.status, text, retryAfterMs: wait ? retryAfterMs(wait, now()) : undefined }
      answer.text = clean(list ? await list.rest(answer) : text)
      return answer
    },
    close: () => pool.close(),
  }
}

/** Passes the items of a list on as they arrive; items that were not taken by then are taken at the end. */
const openList = ({ key, open }: NonNullable<Inquiry<unknown>['items']>, clean: (text: string) => string) => {
  const splitter = createListSplitter(key)
  const takeItems = open()
  let wasTaken = false
  const take = (piece: Buffer) => {
    wasTaken = true
    const items = splitter.push(piece).map((text) => parseBody(clean(text)))
    return items.length > 0 ? takeItems(items) : undefined
  }
  const rest = async ({ status, text }: RawAnswer): Promise<string> => {
    if (status < 200 || status >= 300) return text
    if (!wasTaken) await take(Buffer.from(text))
    return splitter.rest()
  }
  return { take, rest }
}

/** Identity, because the size limit counts the bytes on the wire. */
const headersOf = (question: Inquiry<unknown>, bearer: string): Record<string, string> => {
  const headers: Record<string, string> = {
    authorization: `Bearer ${bearer}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...question.headers,
  }
  if (question.body) headers['content-type'] = 'application/json'
  return headers
}

/** Hides tokens, which the registry may quote in its answer, whose text is stored and shown. */
const createCleaners = (refreshToken: string): ((bearer: string) => Clean) => {
  let newest: { bearer: string; clean: Clean } | undefined
  return (bearer) => {
    if (newest?.bearer !== bearer) newest = { bearer, clean: createCleaner([bearer, refreshToken]) }
    return newest.clean
  }
}

type Clean = (text: string) => string

const createCleaner = (secrets: string[]): Clean => {
  const known = secrets.filter(({ length }) => length >= shortestSecret)
  const forms = [...new Set(known.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, '***'), text)
}

/** Anything shorter occurs by chance. */
const shortestSecret = 8

const failureFrom = (question: Inquiry<unknown>, { left, why }: Lost): CallFailure => {
  const endpoint = endpointOf(question)
  return left ? new Unanswered(['call_no_answer', endpoint, why]) : new NotSent(endpoint, why)
}

/** A path template with its values filled in, or null where one is missing: a value never changes the path itself. */
const fillPath = (template: string, values: Record<string, string | number> = {}): string | null => {
  if (!template.includes('{')) return template
  let isValid = true
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    if (/^\.{0,2}$/.test(value)) isValid = false
    return encodeURIComponent(value.toWellFormed())
  })
  return isValid ? path : null
}

const withQuery = (path: string, query: Record<string, string> | undefined): string =>
  query ? `${path}?${new URLSearchParams(query)}` : path

/** How long the registry asks to wait, as seconds or a date; never negative. */
const retryAfterMs = (header: string | string[] | undefined, now: Date): number | undefined => {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!text) return undefined
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), maxWaitMs)
}

/** The longest wait that is accepted: a mistaken header must not stop a lane for years. */
const maxWaitMs = 24 * 3_600_000
