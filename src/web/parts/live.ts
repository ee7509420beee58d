import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Html, html } from '../../writing/html.ts'
import type { SiteFor } from '../site/site.ts'
import { isSameVisitor, page, type Visit } from '../visit.ts'
import { incidentBar } from './incident-bar.ts'

export type Frame = { shown: Html; over: boolean }

/**
 * Streams a piece of the page as it changes, as server-sent events, until it is over or nobody looks any more.
 *
 * What is wrong now comes with every picture, so that the bar and the page agree. A picture that did not change is not
 * sent again. When the worker stops, the stream ends and the browser finds the next one by itself.
 */
export const streamFrames = async (
  visit: Visit,
  paint: () => Promise<Frame>,
  everyMs = 1_000,
): Promise<FastifyReply> => {
  const { reply, site } = visit
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    ...plainHeaders(reply),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  // Who asks with HEAD wants the headers alone; nothing that is written would ever reach them, so the stream has no end.
  if (visit.request.method === 'HEAD') {
    raw.end()
    return reply
  }
  const gone = AbortSignal.any([site.engine.draining, closing(raw)])
  await paintUntil(gone, visit, () => withIncidents(visit, paint), everyMs).catch((error) => {
    if (!gone.aborted) site.engine.log.error({ err: error }, 'live page ended')
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
    // Whose session is over, or who may see less by now, looks on no longer: the page loads itself anew, and says so.
    if (!(await isSameVisitor(visit))) return void raw.write(overMessage)
    const { shown, over } = await paint()
    if (shown.text !== last) raw.write(message(shown.text))
    else if (turn % 15 === 0) raw.write(': still here\n\n')
    last = shown.text
    if (over) return void raw.write(overMessage)
    await pause(everyMs, undefined, { signal: gone })
  }
}

/** On this the browser loads the page anew. */
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

/** The headers that the hooks have set; a hijacked reply sends none by itself. */
const plainHeaders = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))

const closing = (response: NodeJS.EventEmitter): AbortSignal => {
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  return closed.signal
}

/** For pages that have no stream of their own: every stream brings the bar of trouble along, so an empty one is enough. */
export const addIncidentStream = (app: FastifyInstance, siteFor: SiteFor): void =>
  page(app, siteFor, 'analyst', '/trouble/live', (visit) =>
    streamFrames(visit, async () => ({ shown: html``, over: false }), 2_000),
  )
