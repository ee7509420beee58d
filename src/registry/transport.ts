import { EventEmitter } from 'node:events'
import { type Dispatcher, Pool } from 'undici'
import type { CallFailure } from '../domain/call-failure.ts'
import { endpointOf, type Question } from './call.ts'
import { decodeBody } from './decode-body.ts'
import { NotSent } from './errors/not-sent.ts'
import { Unanswered } from './errors/unanswered.ts'
import { fillPath, withQuery } from './path.ts'
import type { Answer } from './read-reply.ts'
import { retryAfterMs } from './retry-after.ts'
import { watchSentBodies } from './sent-bodies.ts'

export type Limits = { timeout: number; maxBodyBytes: number }

export type Transport = {
  /** Sends one request, once, and gives what came back; a failure tells whether anything left. */
  send(question: Question<unknown>, bearer: string, limits: Limits, signal?: AbortSignal): Promise<Answer | CallFailure>
  close(): Promise<void>
}

type Settings = { url: string; maxBodyBytes: number; now: () => Date }

/** HTTP on keep-alive connections, one per open request: the bound limits them, so the pool does not. */
export function createTransport({ url, maxBodyBytes, now }: Settings): Transport {
  const { origin, pathname } = new URL(url)
  const prefix = pathname.replace(/\/+$/, '')
  const sent = watchSentBodies()
  const pool = new Pool(origin, {
    allowH2: false,
    maxResponseSize: maxBodyBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  return {
    async send(question, bearer, limits, signal) {
      const path = fillPath(question.path, question.at)
      if (path === null) return new NotSent(endpointOf(question), 'a value of its path is missing')
      const body = question.body && Buffer.from(JSON.stringify(question.body))
      const deadline = startDeadline(limits.timeout, signal)
      try {
        const response = await pool.request({
          method: question.method,
          path: prefix + withQuery(path, question.query),
          headers: headersOf(question, bearer),
          body,
          signal: deadline.signal,
        })
        return await read(response, limits, now)
      } catch (error) {
        const left = body ? sent.has(body) : !neverLeft.has(codeOf(error))
        const why = deadline.passed ?? whyOf(error)
        return left
          ? new Unanswered(endpointOf(question), `got no answer: ${why}`)
          : new NotSent(endpointOf(question), why)
      } finally {
        deadline.stop()
      }
    },
    async close() {
      await pool.close()
      sent.stop()
    },
  }
}

/** Identity, because the size limit counts what is on the wire. */
function headersOf(question: Question<unknown>, bearer: string): Record<string, string> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${bearer}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...question.headers,
  }
  if (question.body) headers['content-type'] = 'application/json'
  return headers
}

async function read(response: Dispatcher.ResponseData, limits: Limits, now: () => Date): Promise<Answer> {
  const { statusCode: status, headers, body } = response
  const encoding = headers['content-encoding']
  const text = encoding ? await decodeBody(await body.bytes(), encoding, limits.maxBodyBytes) : await body.text()
  if (text.length > limits.maxBodyBytes) throw new RangeError(`a body of more than ${limits.maxBodyBytes} bytes`)
  return { status, text, retryAfterMs: retryAfterMs(headers['retry-after'], now()) }
}

/** One end for the whole exchange: the body time-out of undici never fires on a slow drip. */
function startDeadline(timeoutMs: number, caller: AbortSignal | undefined) {
  const signal = new EventEmitter()
  const deadline = { signal, passed: undefined as string | undefined, stop }
  const end = (why: string) => {
    deadline.passed ??= why
    signal.emit('abort')
  }
  const giveUp = () => end('it was given up')
  const timer = setTimeout(end, timeoutMs, `${timeoutMs} ms passed`)
  caller?.addEventListener('abort', giveUp)
  function stop() {
    clearTimeout(timer)
    caller?.removeEventListener('abort', giveUp)
  }
  return deadline
}

/** For requests without a body, which are all safe to repeat: errors that come before anything is written. */
const neverLeft: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
])

const codeOf = (error: unknown) => (error as { code?: unknown }).code

/** Only the code and the plain words: undici's errors also carry what was received. */
function whyOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return [code, message].filter(Boolean).join(' ')
}
