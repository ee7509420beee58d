import type { z } from 'zod'
import type { CallFailure } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'

/** Asks the registry one question; the answer is checked, and every failure is one of `errors/`. */
export type Call = <Reply>(question: Inquiry<Reply>, options?: CallOptions) => Promise<Reply>

export type CallOptions = {
  signal?: AbortSignal
  /** A request whose turn comes too late does not leave: its intent may already have been judged. */
  isTooLate?(): boolean
  latch?: LaneLatch
}

/** What the lane of a call knows about it. */
export type LaneLatch = {
  /** Closed by the answer that holds the lane: what has not left by then does not leave. */
  readonly isClosed: boolean
  /** It tries a held lane: one request, whatever the breaker says. */
  readonly isTrial: boolean
  /** Its look-up fails while others are answered: that is no sign of an outage. */
  readonly failsAlone: boolean
  /** Told of every answer, and of every failure to get one. */
  hear(endpoint: string, failure: CallFailure | null): void
}

export type Inquiry<Reply> = {
  method: 'GET' | 'POST' | 'PUT'
  /** A template such as `/v1/scr/indicators/{document}`: it is what errors show, so that no document is ever told. */
  path: string
  /** The values of the template; encoded on their way out. */
  at?: Record<string, string | number>
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Record<string, unknown>
  reply: z.ZodType<Reply>
  /** The number of the document asked about: a reply that names another one is no reply. */
  about?: string
  /** Whether a reply of the right shape answers this very question. */
  fits?(reply: Reply): boolean
  /** Whose time-outs and retries apply; the general ones where left out. */
  kind?: Kind
  /** Costs money or adds something at the registry: sent at most once. */
  spends?: boolean
  /** The reply is a token, which may be the very one that was sent. */
  renews?: boolean
  /** The reply proves nothing but its shape, so it is believed under a 2xx code only. */
  shapeOnly?: boolean
  /** A whole list, which grows with its organization: it may be larger than any other answer. */
  list?: boolean
  /** Whether a body that says no is this operation's way to say that there is nothing. */
  saysNothing?(body: Record<string, unknown>): boolean
  /** The items under `key` are taken as they come in and are left out of the reply; opened anew for each attempt. */
  items?: { key: string; open(): (items: unknown[]) => undefined | Promise<void> }
  /** What a 404 of this operation says: that there is nothing, unless it is a page of HTML; or, whatever it is, not yet. */
  on404?: 'nothing' | 'not_yet'
}

export const endpointOf = (question: { method: string; path: string }) => `${question.method} ${question.path}`
