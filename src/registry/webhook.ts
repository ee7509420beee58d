import { createHmac } from 'node:crypto'
import { request } from 'undici'
import { OutsideFailure, PrivateAddress } from './errors.ts'
import { createPublicAgent } from './public-agent.ts'

type Address = { url: string; allowPrivate: boolean }
type WebhookSettings = Address & { secret: string }
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
  address: Address,
  body: string,
  headers: Record<string, string> = {},
): Promise<void> => {
  const all = { 'content-type': 'application/json', ...headers }
  const statusCode = await ask(setting, address, { method: 'POST', body, headers: all })
  if (statusCode < 200 || statusCode > 299) throw new OutsideFailure(setting, `answered ${statusCode}`)
}

/** Whether an address of the settings answers at all, by a request that sends nothing. */
export const reachOutside = async (setting: string, address: Address): Promise<void> => {
  const statusCode = await ask(setting, address, { method: 'HEAD', headers: {} })
  if (statusCode > 499) throw new OutsideFailure(setting, `answered ${statusCode}`)
}

type Sent = { method: 'POST' | 'HEAD'; body?: string; headers: Record<string, string> }

const ask = async (setting: string, { url, allowPrivate }: Address, { headers, ...sent }: Sent): Promise<number> => {
  const dispatcher = createPublicAgent({ allowPrivate })
  const all = { 'user-agent': 'vigia', ...headers }
  try {
    const options = { ...sent, headers: all, dispatcher, signal: AbortSignal.timeout(timeoutMs) }
    const { body, statusCode } = await request(url, options)
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
