import { alertQueue } from '../src/queue/queues.ts'
import { enqueue } from '../src/queue/start-jobs.ts'
import { sendWebhook } from '../src/registry/webhook.ts'
import { claimMessage, isOwed, type Message, recordProblem, recordSent } from '../src/store/people/messages.ts'
import { job, type Tools } from './tools.ts'

/** Longer than any try to send takes. */
const claimedForMs = 25_000

/**
 * Sends one message to one address, until it is accepted.
 *
 * What was accepted is written down at once; only a worker that dies between the two sends it again, under the same id.
 * After some five hours of refusals it rests, and the sweep of unfinished work takes it up again, for three days.
 */
export const sendAlert = job({
  ...alertQueue,
  retries: 300,

  async work({ messageId, alertId }: { messageId: string; alertId?: string }, tools) {
    const { sql, clock, boss } = tools
    // Jobs of version 0.1.0 name the alert; its message has the same id.
    const id = messageId ?? alertId
    const message = await claimMessage(sql, id, clock(), claimedForMs)
    if (!message) {
      // Whoever took it may be dead; that is known when their time is over.
      if (await isOwed(sql, id)) await enqueue(boss, alertQueue, { messageId: id }, undefined, claimedForMs)
      return
    }
    try {
      await send(message, tools)
    } catch (error) {
      await recordProblem(sql, id, (error as Error).message)
      throw error
    }
    await recordSent(sql, id, clock())
  },
})

/** A channel that is no longer in the settings has nobody to tell; the message stays owed, and is seen so. */
const send = async (message: Message, { settings, clock }: Tools): Promise<void> => {
  const { webhook: url, secret, allowPrivate } = settings.alerts
  if (!url || !secret) throw new Error(`${message.address} is not set`)
  await sendWebhook({ url, secret, allowPrivate }, message, clock())
}
