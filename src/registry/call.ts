import type { z } from 'zod'
import type { CallFailure } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'

/** Sends one request to the registry. The answer is validated, and every failure is one of `errors/`. */
export type Call = <Reply>(question: Inquiry<Reply>, options?: CallOptions) => Promise<Reply>

export type CallOptions = {
  signal?: AbortSignal
  /** A request whose turn comes too late is not sent: its intent may already have been judged. */
  isTooLate?(): boolean
  latch?: LaneLatch
}

/** What a call needs to know about its lane. */
export type LaneLatch = {
  /** An answer that holds the lane closes the latch. What has not been sent by then is not sent. */
  readonly isClosed: boolean
  /** This call is the trial of a held lane: one request, whatever the breaker says. */
  readonly isTrial: boolean
  /** Its look-up fails while others are answered, so its failure is no sign of an outage. */
  readonly failsAlone: boolean
  /** Receives every answer, and every failure to get one. */
  hear(endpoint: string, failure: CallFailure | null): void
}

/** Reads a reply in a tenth of the time that a zod schema takes: the two calls of each analysis have one. */
type ReadShape<Reply> = (body: unknown) => Reply | Misshapen

/** Where a reply has another shape than it should. */
export class Misshapen {
  readonly path: PropertyKey[]
  constructor(...path: PropertyKey[]) {
    this.path = path
  }
}

export type Inquiry<Reply> = {
  method: 'GET' | 'POST' | 'PUT'
  /** A template such as `/v1/scr/indicators/{document}`. Errors show the template, so no document appears in them. */
  path: string
  /** The values of the template; they are encoded when the path is filled. */
  at?: Record<string, string | number>
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Record<string, unknown>
  reply: z.ZodType<Reply> | ReadShape<Reply>
  /** The number of the document asked about. A reply about another document is rejected. */
  about?: string
  /** Whether a reply of the right shape answers this very question. */
  fits?(reply: Reply): boolean
  /** The kind whose time-outs and retries apply; the general ones where left out. */
  kind?: Kind
  /** Costs money or adds something at the registry: sent at most once. */
  spends?: boolean
  /** The reply is a token, and may be the same one that was sent. */
  renews?: boolean
  /** The reply proves nothing but its shape, so it is accepted under a 2xx code only. */
  shapeOnly?: boolean
  /** A complete list, which grows with its organization: it may be larger than any other answer. */
  list?: boolean
  /** Whether a negative body is this operation's way to say that there is nothing. */
  saysNothing?(body: Record<string, unknown>): boolean
  /** The items under `key` are taken as they arrive and left out of the reply. `open` is called anew for each attempt. */
  items?: { key: string; open(): (items: unknown[]) => undefined | Promise<void> }
  /** What a 404 of this operation means: `nothing` (unless it is an HTML page), or `not_yet` (always). */
  on404?: 'nothing' | 'not_yet'
}

export const endpointOf = (question: { method: string; path: string }) => `${question.method} ${question.path}`
