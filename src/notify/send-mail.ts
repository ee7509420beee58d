import { createTransport, type Transporter } from 'nodemailer'
import type { Notification } from './notification.ts'
import { notificationHtml } from './notification-html.ts'
import { notificationText } from './notification-text.ts'

type Mail = {
  id: string
  from: string
  to: string
  notification: Notification
  labels: { language: string; foot: string }
  madeAt: Date
}

/** Upper limits for one attempt. */
const timeouts = { connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 10_000, dnsTimeout: 5_000 }

/**
 * Sends one mail to one person, once; the caller retries.
 *
 * Every attempt has the same Message-ID, so that a mail program can recognize a duplicate. If the server's answer is
 * lost, SMTP has no way to ask whether the mail was accepted.
 */
export const sendMail = async (url: string, { id, from, to, notification, labels, madeAt }: Mail): Promise<void> => {
  await withTransport(url, (transport) =>
    transport.sendMail({
      messageId: `<${id}@vigia>`,
      date: madeAt,
      from,
      to,
      subject: `[Vigia] ${notification.subject}`,
      text: notificationText(notification, labels.foot),
      html: notificationHtml(notification, labels),
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      priority: notification.severity === 'critical' ? 'high' : 'normal',
    }),
  )
}

/** Connects and signs in, as a mail would be sent, and sends none. */
export const checkMailServer = (url: string): Promise<void> => withTransport(url, (transport) => transport.verify())

const withTransport = async (url: string, use: (transport: Transporter) => Promise<unknown>): Promise<void> => {
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  try {
    await use(transport)
  } catch (error) {
    throw new MailFailure(error)
  } finally {
    transport.close()
  }
}

/** A mail was not accepted. The message contains only codes, because the server's answer may repeat the mail. */
class MailFailure extends Error {
  override readonly name = 'MailFailure'

  constructor(cause: unknown) {
    const { code, responseCode, command } = cause as { code?: string; responseCode?: number; command?: string }
    const what = [responseCode ? `answered ${responseCode}` : (code ?? 'failed'), command && `to ${command}`]
    super(`The mail server of SMTP_URL ${what.filter(Boolean).join(' ')}`)
  }
}
