import { Pool } from 'undici'
import { CallFailure } from '../domain/call-failure.ts'
import { endpointOf, type Inquiry } from './call.ts'
import { NotSent, Unanswered } from './errors.ts'
import { decodeBody, exchange, type Limits, type Lost, type Received } from './exchange.ts'
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
      const clean = (text: string) => (question.renews ? text : hide([bearer, refreshToken], text))
      const list = question.items && openList(question.items, clean)
      const outcome = await exchange(pool, request, limits, { signal, take: list?.take })
      if ('why' in outcome) return failureFrom(question, outcome)
      const answer = await answerFrom(question, outcome, limits, now)
      if (answer instanceof CallFailure) return answer
      return { ...answer, text: clean(list ? await list.rest(answer) : answer.text) }
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

/** The registry may quote a token in its answer, whose text is stored and shown. */
const hide = (secrets: string[], text: string): string =>
  secrets
    .filter(({ length }) => length >= shortestSecret)
    .reduce((rest, secret) => rest.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***'), text)

/** Anything shorter occurs by chance. */
const shortestSecret = 8

const failureFrom = (question: Inquiry<unknown>, { left, why }: Lost): CallFailure => {
  const endpoint = endpointOf(question)
  return left ? new Unanswered(['call_no_answer', endpoint, why]) : new NotSent(endpoint, why)
}

const answerFrom = async (question: Inquiry<unknown>, received: Received, limits: Limits, now: () => Date) => {
  const { status, headers, bytes } = received
  const text = await decodeBody(bytes, headers['content-encoding'], limits.maxBodyBytes)
  if (text === null) return new Unanswered(['http', endpointOf(question), status, ['body_undecodable']])
  const wait = headers['retry-after']
  return { status, text, retryAfterMs: wait ? retryAfterMs(wait, now()) : undefined }
}

/** A path template with its values filled in, or null where one is missing: a value never changes the path itself. */
const fillPath = (template: string, values: Record<string, string | number> = {}): string | null => {
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
