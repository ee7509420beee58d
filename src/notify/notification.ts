import type { Kind } from '../domain/kind.ts'
import type { Severity } from '../domain/rule.ts'
import type { Labels } from '../messages/labels.ts'
import type { NotificationLabels } from '../messages/notifications.ts'
import type { Format } from '../writing/format.ts'

/** The text about one event, in the receiver's language. Each channel formats it in its own way. */
export type Notification = {
  severity: Severity
  subject: string
  title: string
  /** The main sentence. It is true even when nothing happened. */
  lead: string
  items: NotificationItem[]
  /** Further facts, each a full sentence. */
  notes: string[]
  /** The page about it, where the settings say at which address people open the page. */
  link: { text: string; url: string } | null
}

/** A notification before it has a link. */
export type NotificationText = Omit<Notification, 'link'>

/** One change: who, what, and the value before and after. */
export type NotificationItem = {
  name: string
  document: string
  what: string
  verdict: string
  tone: 'bad' | 'warn' | 'good'
  before: string | null
  after: string | null
  rules: { name: string; severity: Severity }[]
}

export type NotifiedEvent = { about: string; severity: Severity; body: Record<string, unknown> }

/** What a notification is made with: texts, terms and formats of one language, and the largest number of items. */
export type NotificationContext = {
  labels: NotificationLabels
  terms: Labels['terms']
  format: Format
  most: number
  /** `5`, or `5 (R$ 9,50)` where the price of the kind is known. */
  paid(kind: Kind, units: number): string
}

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
const itemSentence = (item: NotificationItem): string =>
  `${item.what}: ${moved(item)}${isFigure(item) ? ` (${item.verdict})` : ''}`

export const moved = (item: NotificationItem): string =>
  isFigure(item) ? `${item.before ?? '–'} → ${item.after ?? '–'}` : item.verdict

export const isFigure = ({ before, after }: NotificationItem): boolean => before !== null || after !== null

/** A notification as a Slack message. Texts from outside are escaped, so that they are not read as markup. */
export const slackMessage = ({ severity, title, lead, items, notes, link }: Notification, foot: string): object => ({
  text: plain(title),
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: `${signs[severity]} ${title}`.slice(0, 150), emoji: true } },
    section(plain(lead)),
    ...items.map((item) => section(slackItem(item))),
    ...notes.map((note) => section(plain(note))),
    ...(link ? [section(`<${link.url}|${plain(link.text)}>`)] : []),
    { type: 'context', elements: [{ type: 'mrkdwn', text: plain(foot) }] },
  ],
})

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 2_900) || '–' } })

const slackItem = (item: NotificationItem): string =>
  [
    `*${plain(item.name || item.document)}* ${item.name ? plain(item.document) : ''}`,
    plain(itemSentence(item)),
    ...item.rules.map(({ name, severity }) => `${signs[severity]} ${plain(name)}`),
  ].join('\n')

/** Slack reserves & < > for its markup. A star or an underscore of a masked document would make it bold or italic. */
const plain = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`]/g, (sign) => `${sign}\u200b`)

const signs: Record<Severity, string> = { info: '🟢', warning: '🟠', critical: '🔴' }

/** A notification as an Adaptive Card, which the Workflows address of a Teams channel accepts. */
export const teamsMessage = ({ severity, title, lead, items, notes, link }: Notification, foot: string): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        msteams: { width: 'Full' },
        ...(link && { actions: [{ type: 'Action.OpenUrl', title: link.text, url: link.url }] }),
        body: [
          { ...block(title), size: 'Large', weight: 'Bolder', color: colours[severity] },
          block(lead),
          ...items.map(teamsItem),
          ...notes.map(block),
          { ...block(foot), isSubtle: true, size: 'Small', separator: true },
        ],
      },
    },
  ],
})

const teamsItem = (item: NotificationItem) => ({
  type: 'Container',
  separator: true,
  items: [
    { ...block([item.name, item.document].filter(Boolean).join('  ')), weight: 'Bolder' },
    block(itemSentence(item)),
    ...item.rules.map(({ name, severity }) => ({ ...block(`● ${name}`), color: colours[severity], spacing: 'None' })),
  ],
})

/** A card renders some Markdown in its texts, so its characters are escaped. */
const block = (text: string) => ({ type: 'TextBlock', text: text.replace(/[\\*_[\]()#`~]/g, '\\$&'), wrap: true })

const colours: Record<Severity, string> = { info: 'Good', warning: 'Warning', critical: 'Attention' }

/** The documents of a batch at risk and, in cents, by how much. */
export type TotalsAtRisk = { documents: number; atRisk: number; cents: string | null }

export const riskNotes = (risk: TotalsAtRisk | null, { labels, format }: NotificationContext): string[] => {
  if (risk === null || risk.documents === 0) return []
  const amount = risk.atRisk > 0 && risk.cents !== null ? format.cents(BigInt(risk.cents)) : null
  return [labels.risk(format.count(risk.atRisk), format.count(risk.documents), amount)]
}
