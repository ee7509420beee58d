import type { Severity } from '../domain/rule.ts'
import { itemSentence, type Notification, type NotificationItem } from './notification.ts'

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
