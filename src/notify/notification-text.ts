import type { Notification, NotificationItem } from './notification.ts'

/** A notification as plain text, one fact per line. */
export const notificationText = ({ title, lead, items, notes, link }: Notification, foot: string): string =>
  [
    title,
    '',
    lead,
    ...items.flatMap((item) => ['', ...itemLines(item)]),
    ...spaced(notes),
    ...(link ? ['', `${link.text}: ${link.url}`] : []),
    '',
    '-- ',
    foot,
    '',
  ].join('\n')

const spaced = (notes: string[]): string[] => notes.flatMap((note) => ['', note])

const itemLines = (item: NotificationItem): string[] => [
  [item.name, item.document].filter(Boolean).join('  '),
  `  ${itemSentence(item)}`,
  ...(item.rules.length > 0 ? [`  ! ${item.rules.map(({ name }) => name).join(', ')}`] : []),
]

/** `Lawsuits: 1 → 3 (worse)`, or `Radar: removed` where there are no figures. */
export const itemSentence = (item: NotificationItem): string =>
  `${item.what}: ${moved(item)}${isFigure(item) ? ` (${item.verdict})` : ''}`

export const moved = (item: NotificationItem): string =>
  isFigure(item) ? `${item.before ?? '–'} → ${item.after ?? '–'}` : item.verdict

export const isFigure = ({ before, after }: NotificationItem): boolean => before !== null || after !== null
