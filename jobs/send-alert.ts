import { slackMessage, teamsMessage } from '../src/notify/chat-messages.ts'
import { createNotification, notificationLabels } from '../src/notify/create-notification.ts'
import { sendMail } from '../src/notify/send-mail.ts'
import { alertQueue } from '../src/queue/queues.ts'
import { enqueue } from '../src/queue/start-jobs.ts'
import { postOutside, sendWebhook } from '../src/registry/webhook.ts'
import { claimMessage, isOwed, type OutgoingMessage, recordProblem, recordSent } from '../src/store/people/messages.ts'
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

const send = async (message: OutgoingMessage, { settings, clock }: Tools): Promise<void> => {
  const { webhook, secret, email, smtpUrl, slack, teams, allowPrivate } = settings.alerts
  const { id, channel, address, alertMadeAt: madeAt } = message
  const notification = createNotification(message, { ...settings, form: channel === 'email' ? 'mail' : 'chat' })
  const labels = notificationLabels[settings.language]
  const post = (url: string, body: object) => postOutside(address, { url, allowPrivate }, JSON.stringify(body))
  if (channel === 'webhook' && webhook && secret)
    return sendWebhook({ url: webhook, secret, allowPrivate }, message, clock())
  if (channel === 'email' && email && smtpUrl)
    return sendMail(smtpUrl, { id, from: email.from, to: address, notification, labels, madeAt })
  if (channel === 'slack' && slack) return post(slack.url, slackMessage(notification, labels.foot))
  if (channel === 'teams' && teams) return post(teams.url, teamsMessage(notification, labels.foot))
  // What is set again is sent then; until somebody does so, the message is seen to be owed.
  throw new Error(`${channel === 'email' ? 'alerts.email' : address} is not set any more`)
}
