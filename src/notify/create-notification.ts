import { formatPrice, priceOf, type UnitPrices } from '../domain/amount.ts'
import { labelsIn, notificationLabels } from '../messages/labels.ts'
import type { Language } from '../messages/languages.ts'
import { createFormat } from '../writing/format.ts'
import type { Notification, NotificationContext, NotificationText, NotifiedEvent } from './notification.ts'
import { batchNotification, laneNotification, plainNotification } from './short-notifications.ts'
import { sweepNotification } from './sweep-notification.ts'

export type NotificationForm = 'mail' | 'chat'

/** Writes the notification of an event, with as many items as its form allows. */
export const createNotification = (
  event: NotifiedEvent,
  { language, timezone, form, publicUrl = null, prices = null }: NotificationOptions,
): Notification => {
  const { terms, ...texts } = labelsIn(language)
  const labels = notificationLabels[language]
  const format = createFormat(timezone, texts)
  const context: NotificationContext = {
    labels,
    terms,
    format,
    most: mostItems[form],
    paid(kind, units) {
      const price = priceOf(prices, kind, units)
      return `${format.count(units)}${price ? ` (${formatPrice(price, language)})` : ''}`
    },
  }
  const url = linkOf(event, publicUrl)
  const link = url === null ? null : { text: labels.open, url }
  return { ...(creators[event.about] ?? plainNotification)(event, context), link }
}

type NotificationOptions = {
  language: Language
  timezone: string
  form: NotificationForm
  /** The address at which people open the page. */
  publicUrl?: string | null
  prices?: UnitPrices | null
}

/** The page about an event: its batch, the columns of a rejected file, the changes of a night or a run, or the first page, which lists what is held. */
export const linkOf = ({ about, body }: NotifiedEvent, publicUrl: string | null): string | null => {
  if (publicUrl === null) return null
  const { batch, upload, kept } = body as { batch?: number; upload?: number; kept?: boolean }
  if (about === 'file.rejected' && kept) return linkTo(publicUrl, `uploads/${upload}`)
  return linkTo(publicUrl, about.startsWith('batch.') ? `batches/${batch}` : (pages[about] ?? ''))
}

const linkTo = (publicUrl: string, path: string): string => `${publicUrl.replace(/\/+$/, '')}/${path}`

const pages: Record<string, string> = {
  'sweep.finished': 'changes',
  'portfolio.finished': 'changes',
  'rule.met': 'changes',
  'radars.suspicious': 'radars',
  'file.rejected': 'batches#rejected',
}

/** The page and the file list every item. Chats cut long messages, so they list fewer. */
const mostItems: Record<NotificationForm, number> = { mail: 25, chat: 12 }

const creators: Record<string, (event: NotifiedEvent, context: NotificationContext) => NotificationText> = {
  'sweep.finished': sweepNotification,
  'portfolio.finished': sweepNotification,
  'rule.met': sweepNotification,
  'batch.done': batchNotification,
  'batch.unconfirmed': batchNotification,
  'lane held': laneNotification,
  'lane free': laneNotification,
}
