import { expect, test } from 'vitest'
import type { Message } from '../../src/messages/message.ts'
import { notificationLabels } from '../../src/messages/notifications.ts'
import { createNotification, type NotificationForm } from '../../src/notify/create-notification.ts'
import { type Notification, notificationText, slackMessage, teamsMessage } from '../../src/notify/notification.ts'
import { notificationHtml } from '../../src/notify/send-mail.ts'
import { aNight } from './a-night.ts'

const english = { language: 'en', timezone: 'America/Sao_Paulo' } as const
const night = (body: object, about = 'sweep.finished', form: NotificationForm = 'mail') =>
  createNotification({ about, severity: 'info', body: { ...aNight, ...body } }, { ...english, form })

const { foot } = notificationLabels.en
const forms = {
  mail: (notification: Notification) => [
    notificationText(notification, foot),
    notificationHtml(notification, notificationLabels.en),
  ],
  chat: (notification: Notification) => [
    JSON.stringify(slackMessage(notification, foot)),
    JSON.stringify(teamsMessage(notification, foot)),
  ],
}
const everyForm = (notification: Notification) => [...forms.mail(notification), ...forms.chat(notification)]

test.each([
  [night({}), 'Radar sweep of 16/11/2026: 1,240 of 1,247 verified, 31 changed.'],
  [night({ portfolio: 'South', spent: 3 }, 'portfolio.finished'), 'Portfolio South, 16/11/2026: 1,240 of 1,247'],
])(
  'a notification names its night or its portfolio in its text, because a chat has no subject',
  (notification, name) => {
    for (const text of everyForm(notification)) expect(text).toContain(name)
  },
)

test.each([
  ['batch.done', 'batches/7'],
  ['portfolio.finished', 'changes'],
  ['sweep.finished', 'changes'],
  ['test', ''],
])('every form of %s links to the page about it, and none without its address', (about, path) => {
  const batch = { batch: 7, name: 'a.csv', kind: 'analysis', rows: 1, rejected: 0, unanswered: 0, parked: 0 }
  const event = { about, severity: 'info' as const, body: { ...aNight, ...batch } }
  const linked = (publicUrl: string | null) =>
    everyForm(createNotification(event, { ...english, form: 'chat', publicUrl }))
  for (const text of linked('https://vigia.example.com')) {
    expect(text).toContain(`https://vigia.example.com/${path}`)
    expect(text).toContain('Open in Vigia')
  }
  for (const text of linked(null)) expect(text).not.toContain('Open in Vigia')
})

test('a change is named by the reference of the reader’s own file', () => {
  const change = { document: '***.456.789-**', name: 'Ana', field: 'processes', verdict: 'worse', rules: [] }
  const [item] = night({ worst: [{ ...change, before: '1', after: '2', ref: 'C-17' }] }).items
  expect(item).toMatchObject({ name: 'Ana', document: '***.456.789-** · ref. C-17' })
})

test('a notification counts unchecked documents by reason, and not as if they were lawsuits', () => {
  expect(night({}).notes).toEqual(['7 not verified: processes timed out (5); analysis plan blocked (2).'])
})

test('a notification formats a reason from its code, and shows the stored text of an alert without a code', () => {
  const reason = '6 of 8 known radars are missing from the list'
  for (const about of ['radars.suspicious', 'sweep.failed']) {
    const leadOf = (message?: Message | null) =>
      createNotification(
        {
          about,
          severity: 'warning',
          body: { organizationId: 7, name: 'radars', slot: '2026-11-15T02:00', reason, said: message },
        },
        { ...english, language: 'pt-BR', form: 'mail' },
      ).lead
    expect(leadOf(['list_short', 6, 8])).toBe('faltam na lista 6 de 8 radares conhecidos')
    expect([leadOf(), leadOf(null)]).toEqual([reason, reason])
  }
})

test('a notification says that nothing changed only if it lists nothing', () => {
  const change = { document: '***.456.789-**', name: null, before: null, after: null, rules: [] }
  const came = { ...change, field: 'portfolio', verdict: 'added' }
  const went = { ...change, field: 'portfolio', verdict: 'removed' }
  const run = (body: object) => night({ portfolio: 'South', told: {}, ...body }, 'portfolio.finished')
  expect(run({ changed: 0, worst: [] }).title).toBe('Nothing changed')
  expect(run({ changed: 0, worst: [went, came, came] })).toMatchObject({
    title: 'Only the list changed',
    subject: 'Only the list changed – portfolio South, 16/11/2026',
    items: [{ verdict: 'removed' }, { verdict: 'added' }, { verdict: 'added' }],
  })
  expect(run({ changed: 1, worst: [went] }).title).toBe('1 document changed')
})

test.each([
  ['mail', 25],
  ['chat', 12],
] as const)('a %s says that there is more only if it leaves something out', (form, most) => {
  const ana = aNight.worst.find(({ name }) => name === 'Ana')
  for (const found of [most, most + 1, 30]) {
    for (const text of forms[form](night({ worst: Array(found).fill(ana) }, 'rule.met', form))) {
      expect(text.match(/Ana/g)).toHaveLength(Math.min(found, most))
      if (found === most) expect(text).not.toContain('worst')
      else expect(text).toContain(`Only the worst ${most} are listed;`)
    }
  }
})
