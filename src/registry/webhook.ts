import { createHmac } from 'node:crypto'
import { type Dispatcher, request } from 'undici'
import { OutsideFailure, PrivateAddress } from './errors.ts'
import { createPublicAgent } from './public-agent.ts'

type WebhookSettings = { url: string; secret: string; allowPrivate: boolean }
type WebhookMessage = { id: string; about: string; body: unknown }

const timeoutMs = 15_000

/**
 * Sends one message to the webhook, signed, once; the caller retries.
 *
 * `vigia-signature` is the HMAC-SHA256 of `<timestamp>.<body>` under the shared secret, so a receiver can refuse forged or
 * old messages. `idempotency-key` is the same in all tries. The headers of Standard Webhooks carry the same facts.
 */
export const sendWebhook = async (settings: WebhookSettings, message: WebhookMessage, now: Date): Promise<void> => {
  const { url, secret, allowPrivate } = settings
  const body = JSON.stringify({ id: message.id, about: message.about, ...(message.body as object) })
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  await postOutside('alerts.webhook', { url, allowPrivate }, body, {
    'idempotency-key': message.id,
    'vigia-timestamp': timestamp,
    'vigia-signature': `sha256=${signatureOf(secret, timestamp, body)}`,
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standardSignature(secret, message.id, timestamp, body)}`,
  })
}

/**
 * Posts JSON to an address of the settings, once. Redirects are not followed, and a private network is refused unless it
 * is allowed. The address itself is never shown: it may carry a secret.
 */
export const postOutside = async (
  setting: string,
  { url, allowPrivate }: { url: string; allowPrivate: boolean },
  body: string,
  headers: Record<string, string> = {},
): Promise<void> => {
  const statusCode = await ask(setting, allowPrivate, (rest) =>
    request(url, { ...rest, method: 'POST', body, headers: { 'content-type': 'application/json', ...us, ...headers } }),
  )
  if (statusCode < 200 || statusCode > 299) throw new OutsideFailure(setting, `answered ${statusCode}`)
}

/** Whether an address of the settings answers at all, by a request that sends nothing. */
export const reachOutside = async (
  setting: string,
  { url, allowPrivate }: { url: string; allowPrivate: boolean },
): Promise<void> => {
  const statusCode = await ask(setting, allowPrivate, (rest) => request(url, { ...rest, method: 'HEAD', headers: us }))
  if (statusCode > 499) throw new OutsideFailure(setting, `answered ${statusCode}`)
}

const us = { 'user-agent': 'vigia' }

type Options = { dispatcher: Dispatcher; signal: AbortSignal }

const ask = async (
  setting: string,
  allowPrivate: boolean,
  send: (options: Options) => Promise<Dispatcher.ResponseData>,
): Promise<number> => {
  const dispatcher = createPublicAgent({ allowPrivate })
  try {
    const { body, statusCode } = await send({ dispatcher, signal: AbortSignal.timeout(timeoutMs) })
    await body.dump()
    return statusCode
  } catch (error) {
    throw new OutsideFailure(setting, whyOf(error))
  } finally {
    await dispatcher.destroy()
  }
}

export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/** Base64 after `whsec_` is the key itself, as Standard Webhooks writes keys; any other secret is used as it is. */
const standardSignature = (secret: string, id: string, timestamp: string, body: string): string => {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}

const whyOf = (error: unknown): string => {
  const { code, name } = error as { code?: string; name?: string }
  if (error instanceof PrivateAddress) return 'lies in a private network: set alerts.allowPrivate if that is meant'
  if (name === 'TimeoutError') return `did not answer within ${timeoutMs / 1_000} s`
  return `could not be reached: ${code ?? name}`
}
