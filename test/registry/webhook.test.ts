import { expect, test } from 'vitest'
import { sendWebhook, signatureOf } from '../../src/registry/webhook.ts'
import { startReceiver } from '../monitoring/receiver.ts'

const message = { id: 'd6c7', about: 'sweep.finished', body: { due: 3 } }
const now = new Date('2026-11-15T05:00:00Z')

test('a message carries its time, its idempotency id and a signature over time and body', async () => {
  await using receiver = await startReceiver()

  await sendWebhook({ url: receiver.url, secret: 'shared', allowPrivate: true }, message, now)

  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  expect(JSON.parse(body)).toEqual({ id: 'd6c7', about: 'sweep.finished', due: 3 })
  expect(headers).toMatchObject({
    'idempotency-key': 'd6c7',
    'vigia-timestamp': '1794718800',
    'vigia-signature': `sha256=${signatureOf('shared', '1794718800', body)}`,
  })
})

test('a receiver that does not answer 2xx is a failure that does not show its address', async () => {
  await using receiver = await startReceiver([500])
  const sending = sendWebhook({ url: receiver.url, secret: 'shared', allowPrivate: true }, message, now)
  await expect(sending).rejects.toThrow('POST to alerts.webhook answered 500')
})

test.each(['http://127.0.0.1:9/x', 'http://localhost:9/x', 'http://[::1]:9/x', 'http://169.254.169.254/latest'])(
  '%s is refused unless private addresses are allowed',
  async (url) => {
    const sending = sendWebhook({ url, secret: 'shared', allowPrivate: false }, message, now)
    await expect(sending).rejects.toThrow('lies in a private network')
  },
)
