import type { Language } from '../domain/languages.ts'
import { inEnglish } from '../domain/messages/english.ts'
import { inPortuguese } from '../domain/messages/portuguese.ts'
import { enTerms } from '../domain/terms/english.ts'
import { ptBrTerms } from '../domain/terms/portuguese.ts'
import { createFormat } from '../writing/format.ts'
import { enNotifications, type NotificationLabels } from './en-labels.ts'
import type { Notification, NotificationContext, NotifiedEvent } from './notification.ts'
import { ptBrNotifications } from './pt-br-labels.ts'
import { batchNotification, laneNotification, plainNotification } from './short-notifications.ts'
import { sweepNotification } from './sweep-notification.ts'

export type NotificationForm = 'mail' | 'chat'

/** Writes the notification of an event, with as many items as its form allows. */
export const createNotification = (
  event: NotifiedEvent,
  { language, timezone, form }: { language: Language; timezone: string; form: NotificationForm },
): Notification => {
  const { formatMessage, ...labels } = contexts[language]
  const context: NotificationContext = {
    ...labels,
    format: createFormat(timezone, { language, formatMessage }),
    most: mostItems[form],
  }
  return (creators[event.about] ?? plainNotification)(event, context)
}

/** The page and the file list every item. Chats cut long messages, so they list fewer. */
const mostItems: Record<NotificationForm, number> = { mail: 25, chat: 12 }

const creators: Record<string, (event: NotifiedEvent, context: NotificationContext) => Notification> = {
  'sweep.finished': sweepNotification,
  'portfolio.finished': sweepNotification,
  'rule.met': sweepNotification,
  'batch.done': batchNotification,
  'batch.unconfirmed': batchNotification,
  'lane held': laneNotification,
  'lane free': laneNotification,
}

/** The fixed texts of every notification. */
export const notificationLabels: Record<Language, NotificationLabels> = {
  en: enNotifications,
  'pt-BR': ptBrNotifications,
}

const contexts: Record<Language, Omit<NotificationContext, 'format' | 'most'> & { formatMessage: typeof inEnglish }> = {
  en: { labels: enNotifications, terms: enTerms, formatMessage: inEnglish },
  'pt-BR': { labels: ptBrNotifications, terms: ptBrTerms, formatMessage: inPortuguese },
}
