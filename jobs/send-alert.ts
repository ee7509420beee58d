import { notificationLabels } from '../src/messages/notifications.ts'
import { createNotification, linkOf } from '../src/notify/create-notification.ts'
import { slackMessage, teamsMessage } from '../src/notify/notification.ts'
import { sendMail } from '../src/notify/send-mail.ts'
import { alertQueue } from '../src/queue/queues.ts'
import { enqueue } from '../src/queue/start-jobs.ts'
import { postOutside, sendWebhook } from '../src/registry/webhook.ts'
import { claimMessage, isOwed, type OutgoingMessage, recordProblem, recordSent } from '../src/store/people/messages.ts'
import { job, type Tools } from './tools.ts'

/** Longer than any attempt to send takes. */
const claimedForMs = 25_000

/**
 * Sends one message to one address until it is accepted.
 *
 * What was accepted is recorded at once. A message is sent twice, under the same id, only if a worker dies between the
 * two. After about five hours of failures the job ends, and the sweep of unfinished work tries again, for three days.
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
      // The worker that claimed it may be dead, which is known when its claim expires.
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
  const { language, timezone, budget, web } = settings
  const notification = createNotification(message, {
    ...{ language, timezone, prices: budget.unitPrice, publicUrl: web.publicUrl },
    form: channel === 'email' ? 'mail' : 'chat',
  })
  const labels = notificationLabels[language]
  const post = (url: string, body: object) => postOutside(address, { url, allowPrivate }, JSON.stringify(body))
  if (channel === 'webhook' && webhook && secret)
    return sendWebhook({ url: webhook, secret, allowPrivate }, withLink(message, web.publicUrl), clock())
  if (channel === 'email' && email && smtpUrl)
    return sendMail(smtpUrl, { id, from: email.from, to: address, notification, labels, madeAt })
  if (channel === 'slack' && slack) return post(slack.url, slackMessage(notification, labels.foot))
  if (channel === 'teams' && teams) return post(teams.url, teamsMessage(notification, labels.foot))
  // The message is sent when the address is set again; until then it is listed as owed.
  throw new Error(`${channel === 'email' ? 'alerts.email' : address} is not set any more`)
}

const withLink = (message: OutgoingMessage, publicUrl: string | null): OutgoingMessage => {
  const url = linkOf(message, publicUrl)
  return url === null ? message : { ...message, body: { ...message.body, url } }
}
