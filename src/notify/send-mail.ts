import { createTransport, type Transporter } from 'nodemailer'
import { type Html, html } from '../writing/html.ts'
import { isFigure, moved, type Notification, type NotificationItem, notificationText } from './notification.ts'

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

/**
 * A notification as HTML for mail programs, on a phone too.
 *
 * Many mail programs support neither style sheets nor flexbox: one table, styles in place, at most 600 pixels.
 */
export const notificationHtml = (
  { severity, title, lead, items, notes, link }: Notification,
  labels: { language: string; foot: string },
): string => {
  const { text } =
    html`<!doctype html><html lang="${labels.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${title}</title></head>
<body style="margin:0;padding:0;background:#f2f4f3;-webkit-text-size-adjust:100%">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f4f3"><tr><td align="center" style="padding:16px 8px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border-radius:8px;border-top:6px solid ${bars[severity]};font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1d2b27;text-align:left">
<tr><td style="padding:20px 20px 4px"><h1 style="margin:0;font-size:22px;line-height:1.25;color:${inks[severity]}">${title}</h1></td></tr>
<tr><td style="padding:0 20px 16px;font-size:16px;line-height:1.45">${lead}</td></tr>
${items.map(row)}
${link && html`<tr><td style="padding:12px 20px"><a href="${link.url}" style="display:inline-block;background:#17603f;color:#ffffff;border-radius:6px;padding:10px 16px;font-size:16px;font-weight:600;text-decoration:none">${link.text}</a></td></tr>`}
${notes.map((note) => html`<tr><td style="padding:12px 20px;font-size:15px;line-height:1.45;color:#43524d;border-top:1px solid #e3e8e6">${note}</td></tr>`)}
<tr><td style="padding:14px 20px 18px;font-size:13px;line-height:1.4;color:#5d6c67;border-top:1px solid #e3e8e6">${labels.foot}</td></tr>
</table></td></tr></table></body></html>`
  return text
}

/** Colours of text, dark enough to read on white. The bar may be brighter. */
const inks = { info: '#1d2b27', warning: '#7a4b00', critical: '#a31621' }
const bars = { info: '#2b7a62', warning: '#d18b00', critical: '#c62231' }

const tones = { bad: ['#fdecee', '#a31621'], warn: ['#fff4dd', '#7a4b00'], good: ['#e4f4ec', '#17603f'] } as const

const row = (item: NotificationItem): Html => {
  const [ground, ink] = tones[item.tone]
  return html`<tr><td style="padding:12px 20px;border-top:1px solid #e3e8e6">
<div style="font-size:16px;line-height:1.35;font-weight:600">${item.name || item.document}${item.name && html` <span style="font-weight:400;font-size:14px;color:#5d6c67;white-space:nowrap">${item.document}</span>`}</div>
<div style="font-size:15px;line-height:1.5;padding-top:2px">${item.what}</div>
<div style="font-size:16px;line-height:1.6"><strong>${moved(item)}</strong>${isFigure(item) && html` <span style="background:${ground};color:${ink};border-radius:10px;padding:1px 9px;font-size:13px;font-weight:600;white-space:nowrap">${item.verdict}</span>`}</div>
${item.rules.map(({ name, severity }) => html`<div style="font-size:14px;line-height:1.5;padding-top:2px;color:${inks[severity]};font-weight:600">&#9679; ${name}</div>`)}
</td></tr>`
}
