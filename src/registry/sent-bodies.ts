import { subscribe, unsubscribe } from 'node:diagnostics_channel'

export type SentBodies = { has(body: Uint8Array): boolean; stop(): void }

/**
 * Remembers which request bodies undici has begun to send.
 *
 * The same socket error comes for "never read" and for "did the work, then closed"; only the absence of this event
 * proves that nothing left. A buffer reaches the event as the very object that was passed in.
 */
export function watchSentBodies(): SentBodies {
  const sent = new WeakSet<object>()
  const note = (message: unknown) => {
    const { body } = (message as { request: { body: object | null } }).request
    if (body) sent.add(body)
  }
  subscribe(channel, note)
  return { has: (body) => sent.has(body), stop: () => void unsubscribe(channel, note) }
}

const channel = 'undici:client:sendHeaders'
