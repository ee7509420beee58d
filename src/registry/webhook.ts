import { createHmac } from 'node:crypto'
import { request } from 'undici'
import { PrivateAddress, WebhookFailure } from './errors.ts'
import { createPublicAgent } from './public-agent.ts'

type WebhookSettings = { url: string; secret: string; allowPrivate: boolean }
type WebhookMessage = { id: string; about: string; body: unknown }

const timeoutMs = 15_000

/**
 * Sends one message to the webhook, signed, once; whoever calls tries again.
 *
 * `vigia-signature` is the HMAC-SHA256 of `<timestamp>.<body>` under the shared secret, so a receiver can refuse what is
 * forged or old; `idempotency-key` stays the same over all tries. Redirects are not followed.
 */
export const sendWebhook = async (settings: WebhookSettings, message: WebhookMessage, now: Date): Promise<void> => {
  const { url, secret, allowPrivate } = settings
  const body = JSON.stringify({ id: message.id, about: message.about, ...(message.body as object) })
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const dispatcher = createPublicAgent({ allowPrivate })
  try {
    const response = await request(url, {
      method: 'POST',
      dispatcher,
      body,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'vigia',
        'idempotency-key': message.id,
        'vigia-timestamp': timestamp,
        'vigia-signature': `sha256=${signatureOf(secret, timestamp, body)}`,
      },
    })
    await response.body.dump()
    if (response.statusCode < 200 || response.statusCode > 299)
      throw new WebhookFailure(`answered ${response.statusCode}`)
  } catch (error) {
    throw error instanceof WebhookFailure ? error : new WebhookFailure(whyOf(error))
  } finally {
    await dispatcher.destroy()
  }
}

export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/** The code alone: the address may carry a secret of its own. */
const whyOf = (error: unknown): string => {
  const { code, name } = error as { code?: string; name?: string }
  if (error instanceof PrivateAddress) return 'lies in a private network: set alerts.allowPrivate if that is meant'
  if (name === 'TimeoutError') return `did not answer within ${timeoutMs / 1_000} s`
  return `could not be reached: ${code ?? name}`
}
