import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { type Dispatcher, Pool } from 'undici'
import type { CallFailure } from '../domain/call-failure.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import { listenersOf } from './bound.ts'
import { endpointOf, type Inquiry } from './call.ts'
import { NotSent, Unanswered } from './errors.ts'
import { parseBody, type RawAnswer } from './read-reply.ts'
import { createListSplitter } from './split-list.ts'

type Settings = { url: string; connections: number; now: () => Date; refreshToken: string }

/** HTTP on keep-alive connections, one per open request: with fewer, requests wait; with more, connections churn. */
export const createTransport = ({ url, connections, now, refreshToken }: Settings) => {
  const { origin, pathname } = new URL(url)
  const prefix = pathname.replace(/\/+$/, '')
  const pool = new Pool(origin, { connections, allowH2: false, headersTimeout: 0, bodyTimeout: 0 })
  const cleanerOf = createCleaners(refreshToken)

  return {
    /** Sends one request, once, and returns what came back; a failure says whether anything may have been sent. */
    async send(
      question: Inquiry<unknown>,
      bearer: string,
      limits: Limits,
      signal?: AbortSignal,
    ): Promise<RawAnswer | CallFailure> {
      const path = fillPath(question.path, question.at)
      if (path === null) return new NotSent(endpointOf(question), ['path_missing'])
      const request = {
        method: question.method,
        path: `${prefix}${path}${question.query ? `?${new URLSearchParams(question.query)}` : ''}`,
        headers: headersOf(question, bearer),
        body: question.body && JSON.stringify(question.body),
      }
      const clean = question.renews ? (text: string) => text : cleanerOf(bearer)
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
const headersOf = ({ headers, body }: Inquiry<unknown>, bearer: string): Record<string, string> => ({
  authorization: `Bearer ${bearer}`,
  accept: 'application/json',
  'accept-encoding': 'identity',
  ...headers,
  ...(body && { 'content-type': 'application/json' }),
})

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

/** How long the registry asks to wait, as seconds or a date; never negative. */
const retryAfterMs = (header: string | string[] | undefined, now: Date): number | undefined => {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!text) return undefined
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), maxWaitMs)
}

/** The longest wait that is accepted: a mistaken header must not stop a lane for years. */
const maxWaitMs = 24 * 3_600_000

type Limits = { timeout: number; maxBodyBytes: number }

type Received = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** Takes the pieces of a body that is too large to keep, as they arrive; a promise holds the next piece back. */
type TakePiece = (piece: Buffer) => undefined | Promise<void>

/** There was no answer: why, and whether anything may have reached the registry. */
type Lost = { left: boolean; why: Message }

/**
 * Sends one request and collects its answer, within one deadline and the allowed number of bytes. A body that is taken in
 * pieces may take longer: each piece restarts the deadline, up to `longestList` times the deadline in total.
 *
 * It uses `dispatch`, which costs a fifth less than `request` and shows what no error of undici does: it calls
 * `onRequestStart` right before the first byte is written, so without that call nothing was sent.
 */
const exchange = (
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeout, maxBodyBytes }: Limits,
  { signal, take }: { signal?: AbortSignal; take?: TakePiece } = {},
): Promise<Received | Lost> =>
  new Promise((resolve, reject) => {
    let control: Dispatcher.DispatchController | undefined
    let isOver = false
    let status = 0
    let headers: IncomingHttpHeaders = {}
    let size = 0
    const chunks: Buffer[] = []
    let taking: Promise<void> | undefined

    const settle = (outcome: Received | Lost) => {
      isOver = true
      clearTimeout(timer)
      stop?.delete(giveUp)
      resolve(outcome)
    }
    const end = () => {
      if (!isOver) settle({ status, headers, bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) })
    }
    const lose = (why: Message) => {
      if (isOver) return
      settle({ left: control !== undefined, why })
      control?.abort(new Error(inEnglish(why)))
    }
    /** While a piece is being taken, no further piece arrives. If taking it fails, the exchange ends. */
    const hand = (controller: Dispatcher.DispatchController, piece: Buffer, to: TakePiece) => {
      const taken = to(piece)
      startAnew()
      if (!taken) return
      controller.pause()
      taking = taken.then(
        () => {
          startAnew()
          controller.resume()
        },
        (failure) => {
          reject(failure)
          lose(['body_not_taken'])
        },
      )
    }
    const giveUp = () => lose(['given_up'])
    const timer = setTimeout(lose, timeout, ['ms_passed', timeout])
    const latest = performance.now() + timeout * longestList
    const startAnew = () => {
      if (!isOver && performance.now() < latest) timer.refresh()
    }
    const stop = signal && listenersOf(signal)
    stop?.add(giveUp)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        if (isOver) controller.abort(new Error('given up before it was sent'))
        else control = controller
      },
      onResponseStart(_controller, statusCode, received) {
        status = statusCode
        headers = received
      },
      onResponseData(controller, chunk) {
        size += chunk.length
        if (size > maxBodyBytes) lose(['body_large', maxBodyBytes])
        else if (take && isPlainSuccess(status, headers)) hand(controller, chunk, take)
        else chunks.push(chunk)
      },
      onResponseEnd() {
        if (taking) void taking.then(end)
        else end()
      },
      onResponseError: (_controller, error) => lose(['broken', whyOf(error)]),
    }
    try {
      pool.dispatch(request, handler)
    } catch (error) {
      lose(['broken', whyOf(error)])
    }
  })

/** A list of 150,000 takes long to arrive and longer to take. A list that trickles must end too. */
const longestList = 20

/** Only this status and type can be the list that was asked for; anything else is small, and read at once. */
const isPlainSuccess = (status: number, headers: IncomingHttpHeaders): boolean =>
  status >= 200 && status < 300 && (headers['content-encoding'] ?? 'identity') === 'identity'

/** Only the code and the plain message: undici's errors also carry what was received. */
const whyOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string }
  return [code, message].filter(Boolean).join(' ')
}

/**
 * The text of a body, also where it was encoded although identity was requested; a promise only where it was.
 *
 * Null where it cannot be decoded, or is larger than the limit once decoded.
 */
const textOf = (bytes: Buffer, encoding: string | undefined, maxBytes: number) => {
  const decoder = encoding && decoders.get(encoding.trim().toLowerCase())
  return decoder ? decoder(bytes, { maxOutputLength: maxBytes }).then(withoutBom, () => null) : withoutBom(bytes)
}

const withoutBom = (bytes: Buffer): string => {
  const text = bytes.toString()
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const decoders = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
])
