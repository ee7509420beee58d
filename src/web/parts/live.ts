import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../writing/html.ts'
import { isSameVisitor, type Pages, type Visit } from '../visit.ts'
import { incidentBar } from './incident-bar.ts'

export type Frame = { shown: Html; over: boolean }

/**
 * Streams a piece of the page as server-sent events whenever it changes, until it is over or the browser disconnects.
 *
 * Each frame also contains the incident bar, so that the bar and the page agree. An unchanged frame is not sent again.
 * When the worker stops, the stream ends and the browser reconnects by itself.
 */
export const streamFrames = async (
  visit: Visit,
  paint: () => Promise<Frame>,
  everyMs = 1_000,
): Promise<FastifyReply> => {
  const { reply, draining, log } = visit
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    // The headers that hooks have set; a hijacked reply does not send them by itself.
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  // HEAD wants only the headers. Nothing that is written would reach the client, so the stream would never end.
  if (visit.request.method === 'HEAD') {
    raw.end()
    return reply
  }
  const gone = AbortSignal.any([draining, closing(raw)])
  await paintUntil(gone, visit, () => withIncidents(visit, paint), everyMs).catch((error) => {
    if (!gone.aborted) log.error({ err: error }, 'live page ended')
  })
  raw.end()
  return reply
}

const paintUntil = async (
  gone: AbortSignal,
  visit: Visit,
  paint: () => Promise<Frame>,
  everyMs: number,
): Promise<void> => {
  const { raw } = visit.reply
  let last = ''
  for (let turn = 1; !gone.aborted; turn++) {
    // If the session has ended, or the visitor may see less by now, the stream ends and the page reloads.
    if (!(await isSameVisitor(visit))) return void raw.write(overMessage)
    const { shown, over } = await paint()
    if (shown.text !== last) raw.write(message(shown.text))
    else if (turn % 15 === 0) raw.write(': still here\n\n')
    last = shown.text
    if (over) return void raw.write(overMessage)
    await pause(everyMs, undefined, { signal: gone })
  }
}

/** The browser reloads the page when it receives this. */
export const overMessage = 'event: over\ndata: over\n\n'

const withIncidents = async (visit: Visit, paint: () => Promise<Frame>): Promise<Frame> => {
  const { shown, over } = await paint()
  const bar = html`<hx-partial hx-target="#trouble" hx-swap="innerMorph">${await incidentBar(visit)}</hx-partial>`
  return { shown: html`${shown}${bar}`, over }
}

const message = (text: string): string =>
  `${text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('')}\n`

const closing = (response: NodeJS.EventEmitter): AbortSignal => {
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  return closed.signal
}

/** For pages without a stream of their own: every stream contains the incident bar, so an empty one is enough. */
export const addIncidentStream = ({ page }: Pages): void =>
  page('analyst', '/trouble/live', (visit) => streamFrames(visit, async () => ({ shown: html``, over: false }), 2_000))
