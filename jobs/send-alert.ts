import { alertQueue } from '../src/queue/queues.ts'
import { sendWebhook } from '../src/registry/webhook.ts'
import { readAlert, recordDelivery } from '../src/store/radars/sweeps.ts'
import { job } from './tools.ts'

/**
 * Tells people outside, by the webhook of the settings, until it is taken.
 *
 * A try whose answer was lost is repeated under the same idempotency id, so the receiver can tell. After some five
 * hours it is given up; what it said is in the log and on the page all the same.
 */
export const sendAlert = job({
  ...alertQueue,
  retries: 300,

  async work({ alertId }: { alertId: string }, { sql, settings, clock }) {
    const { webhook: url, secret, allowPrivate } = settings.alerts
    const alert = await readAlert(sql, alertId)
    if (!alert || alert.deliveredAt || !url || !secret) return
    try {
      await sendWebhook({ url, secret, allowPrivate }, alert, clock())
      await recordDelivery(sql, alertId, { deliveredAt: clock(), problem: null })
    } catch (error) {
      await recordDelivery(sql, alertId, { deliveredAt: null, problem: (error as Error).message })
      throw error
    }
  },
})
