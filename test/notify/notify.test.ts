import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { repairStalled } from '../../jobs/find-unfinished.ts'
import { cancelBatch, confirmBatch } from '../../src/batches/pause-resume-cancel.ts'
import { holdCauses } from '../../src/domain/call-failure.ts'
import { kinds } from '../../src/domain/kind.ts'
import { inPortuguese, type Message } from '../../src/messages/message.ts'
import { notificationLabels } from '../../src/messages/notifications.ts'
import { notifyIncidents } from '../../src/monitoring/notify-incidents.ts'
import { runSweep } from '../../src/monitoring/sweep.ts'
import { Refused } from '../../src/registry/errors.ts'
import { sendWebhook } from '../../src/registry/webhook.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { holdLane, resumeLane } from '../../src/store/fleet/lanes.ts'
import { finishSweep, insertSweep, listSweeps, type SweepName } from '../../src/store/radars/sweeps.ts'
import { listAlerts } from '../../src/views/installation.ts'
import { toSweepsView } from '../../src/views/sweep.ts'
import { sharedGround } from '../batches/ground.ts'
import { startReceiver } from '../monitoring/receiver.ts'
import { sweepRadars } from '../monitoring/sweep.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { type SetupOptions, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { bodiesOf, startMailbox } from './mailbox.ts'

const twoMore = { name: 'two more', when: 'count_grows', classes: ['processes'], by: 2, severity: 'critical' }
const night = { rules: [twoMore], radarSweep: { refresh: 'processes', analysisEvery: null } }
const at = (ms: number) => () => new Date(Date.now() + ms)

test('a night is one mail to each person, one message to Slack and one webhook, all masked and worst first', async () => {
  await using mailbox = await startMailbox()
  await using receiver = await startReceiver()
  await using critical = await startReceiver()
  await using t = await setupNotify(mailbox.url, { hook: receiver.url, critical: critical.url }, night)
  for (const code of cpfs(8)) t.sandbox.plantRadar({ code, name: `Acme ${code}` })
  for (const code of cpfs(8)) t.sandbox.plantChange(code, { processes: 1 })
  await sweepRadars(t)
  t.sandbox.plantChange(cpf(3), { processes: 5 })
  t.sandbox.plantChange(cpf(5), { processes: 2 })
  await sweepRadars(t)

  await until(async () => mailbox.received.length >= 4 && receiver.received.length >= 4)
  await until(async () => (await listAlerts(t.sql, 50)).every(({ sent }) => sent))
  const of = (name: string) => mailbox.received.filter(({ to }) => to[0] === `${name}@example.com`).map(bodiesOf)
  expect([of('ana').length, of('bia').length]).toEqual([2, 2])
  const [quiet, loud] = of('ana') as [string, string]
  expect(quiet).toContain('Nada mudou')
  expect(quiet).toContain('8 de 8 verificados, 0 mudaram.')
  expect(loud).toContain('1 aviso crítico')
  expect(loud.indexOf('***')).toBeLessThan(loud.indexOf('1 → 2'))
  expect(loud.indexOf('1 → 5')).toBeLessThan(loud.indexOf('1 → 2'))
  // A receiver of critical events is notified of rules, and not of a night without alerts.
  expect(critical.received.map(({ body }) => body)).toEqual([expect.stringContaining('1 aviso crítico')])
  const about = (await listAlerts(t.sql, 50)).filter(({ address }) => address === 'alerts.teams')
  expect(about).toMatchObject([{ about: 'rule.met', severity: 'critical' }])

  t.sandbox.setScenario({ radars: { limit: 2 } })
  await sweepRadars(t)
  const rejected = await until(async () =>
    mailbox.received.map(bodiesOf).find((text) => text.includes('foi rejeitada')),
  )
  expect(rejected).not.toContain('missing from the list')
  expect(rejected).toContain(inPortuguese(['list_short', 6, 8]))
  const sent = [...mailbox.received.map(({ raw }) => raw), ...mailbox.received.map(bodiesOf)]
  const everything = [...sent, ...[...receiver.received, ...critical.received].map(({ body }) => body)].join('\n')
  for (const code of cpfs(8)) expect(everything).not.toContain(code)
})

test('a batch that needs approval and one that is done are notified once, with what a person has to do', async () => {
  await using mailbox = await startMailbox()
  const budget = { confirmAbove: 3, unitPrice: { amount: '1.90', currency: 'BRL' } }
  await using t = await setupNotify(mailbox.url, {}, { budget, web: { publicUrl: 'https://vigia.example.com/' } })
  const waits = await t.submit(csvOf(cpfs(5)), { confirmAbove: 3, by: 'carla' })
  const done = await t.submit(csvOf(cpfs(2)), { fileName: `${cpf(7)}.csv` })
  await t.finished(done)
  const free = await t.submit(`${csvOf(cpfs(2))}${cpf(1)}\n`, { confirmAbove: -1 })
  for (const id of [waits, free]) await until(async () => (await readBatch(t.sql, id))?.state === 'unconfirmed')
  const later = (ms: number) => ({ ...t.tools, clock: () => new Date(t.tools.clock().getTime() + ms) })
  await notifyIncidents(later(60_000))
  expect((await listAlerts(t.sql, 50)).map(({ about }) => about)).not.toContain('batch.unconfirmed')
  await Promise.all([notifyIncidents(later(121_000)), notifyIncidents(later(121_000))])

  await until(async () => mailbox.received.length >= 4)
  const texts = mailbox.received.map(bodiesOf).join('\n')
  expect(texts).toContain(`vigia confirm ${waits}`)
  // The batch that runs bought two of the five.
  expect(texts).toMatch(/consultas a pagar: 3 \(R\$.5,70\)/)
  expect(texts).toContain('Enviado por carla.')
  expect(texts).toContain(`Abrir no Vigia: https://vigia.example.com/batches/${waits}`)
  expect(texts).toContain(`Abrir no Vigia: https://vigia.example.com/batches/${done}`)
  expect(texts).toMatch(/Em risco: \d de 2 documentos/)
  expect(texts).toMatch(/Consultas pagas: 2 \(R\$.3,80\)\./)
  expect(texts).toContain('Concluído: ***')
  expect(texts + mailbox.received.map(({ raw }) => raw).join()).not.toContain(cpf(7))
  expect((await listAlerts(t.sql, 50)).map(({ about }) => about).sort()).toEqual([
    'batch.done',
    'batch.done',
    'batch.unconfirmed',
    'batch.unconfirmed',
  ])

  const { finished } = t.running.engine
  await confirmBatch(t.sql, waits, { by: 'carla', now: t.tools.clock(), deadlineMs: 3_600_000, finished, atMost: 3 })
  await t.finished(waits)
  expect(t.sandbox.charges()).toBe(5)
})

test('a batch that was cancelled or has only rejected rows is not reported as done, and a new report not at all', async () => {
  await using mailbox = await startMailbox()
  await using t = await setupNotify(mailbox.url)
  const rejected = await t.submit('documento\nabc\n', { fileName: 'ruim.csv' })
  await t.finished(rejected)
  const cancelled = await t.submit(csvOf(cpfs(2)), { confirmAbove: -1, fileName: 'parado.csv' })
  await until(async () => (await readBatch(t.sql, cancelled))?.importedAt)
  const { finished } = t.running.engine
  await cancelBatch(t.sql, cancelled, { by: 'ana', now: t.tools.clock(), deadlineMs: 1_000, finished })
  await t.finished(cancelled)
  await until(async () => mailbox.received.length >= 4)
  const texts = mailbox.received.map(bodiesOf).join('\n')
  expect(texts).toContain('Rejeitado: ruim')
  expect(texts).toContain('Nenhuma linha pôde ser consultada')
  expect(texts).toContain('Cancelado: parado')
  expect(texts).not.toContain('Concluído')
  const severities = (await listAlerts(t.sql, 50)).filter(({ about }) => about === 'batch.done')
  expect(severities.map(({ severity }) => severity).sort()).toEqual(['info', 'info', 'warning', 'warning'])

  await until(async () => (await listAlerts(t.sql, 9)).filter(({ sent }) => sent).length === 4)
  // As if nobody had been notified when it ended.
  await t.sql`delete from vigia.message`
  await t.sql`delete from vigia.alert`
  await t.submit('documento\nabc\n', { fileName: 'ruim.csv', format: 'xlsx' })
  await until(async () => {
    const batch = await readBatch(t.sql, rejected)
    return batch?.format === 'xlsx' && batch.exportedAt
  })
  expect(await listAlerts(t.sql, 9)).toEqual([])
})

/** Queues without a worker: what is to be sent can be seen, and nobody sends it. */
const unsent = sharedGround({
  alerts: { slack: { url: 'https://example.com/slack' }, teams: { url: 'https://example.com/teams' } },
})
const notice = (clock = at(0)) => notifyIncidents({ ...unsent.tools, clock })
const { organizationId } = accounts[0]

test('a lane that is held and resumed is notified once each, a late sweep too, however many workers check, and masked', async () => {
  const lane = { organizationId, kind: 'cnh' as const }
  const reason: Message = ['check_plan', ['http', 'POST /v2/cnh', 402, `no plan for ${cpf(1)}`]]
  await holdLane(unsent.sql, lane, { cause: 'plan', reason, trialAt: null }, new Date())
  await insertSweep(unsent.sql, { name: 'radars', slot: '2026-11-15T02:00', trigger: 'missed', now: new Date() })
  await Promise.all([notice(), notice(), notice()])
  await resumeLane(unsent.sql, lane)
  await Promise.all([notice(), notice()])

  const alerts = (await listAlerts(unsent.sql, 50)).filter(({ address }) => address === 'alerts.slack')
  expect(alerts.map(({ about }) => about).sort()).toEqual(['lane free', 'lane held', 'sweep.missed'])
  const [{ bodies }] = await unsent.sql<
    [{ bodies: string }]
  >`select string_agg(body::text, '') as bodies from vigia.alert`
  expect(bodies).toContain('no plan for')
  expect(bodies).not.toContain(cpf(1))
})

test('a running batch that comes to cost more than was agreed to is notified once', async () => {
  const leaves = await unsent.imported(csvOf(cpfs(4)))
  const inherits = await unsent.imported(csvOf(cpfs(6)), { confirmAbove: 3 })
  expect([leaves.state, inherits.state]).toEqual(['running', 'running'])
  const steering = { by: 'test', now: new Date(), deadlineMs: 3_600_000, finished: async () => {} }
  await cancelBatch(unsent.sql, leaves.id, steering)
  expect(await readBatch(unsent.sql, inherits.id)).toMatchObject({ state: 'unconfirmed', toBePaid: 6 })
  await Promise.all([notice(), notice()])
  const alerts = await listAlerts(unsent.sql, 50)
  expect(alerts.filter(({ about }) => about === 'batch.unconfirmed')).toHaveLength(2)
})

test('an incident that needs a person is critical and notified at once, as is one that a person could shorten; others wait a minute', async () => {
  const heldAt = new Date()
  for (const [i, cause] of holdCauses.filter((cause) => cause !== 'token').entries()) {
    const lane = { organizationId: organizationId + Math.floor(i / kinds.length), kind: kinds[i % kinds.length]! }
    await holdLane(unsent.sql, lane, { cause, reason: ['no_reason'], trialAt: null }, heldAt)
  }
  const heldSeverities = async (clock?: () => Date) => {
    await notice(clock)
    const rows = await unsent.sql<{ cause: string; severity: string }[]>`
      select body ->> 'cause' as cause, severity from vigia.alert where about = 'lane held'`
    return Object.fromEntries(rows.map(({ cause, severity }) => [cause, severity]))
  }
  const needsPerson = { plan: 'critical', denied: 'critical', refused: 'critical', fetch_refused: 'critical' }
  const atOnce = { ...needsPerson, budget: 'warning', operator: 'info' }
  expect(await heldSeverities()).toEqual(atOnce)
  expect(await heldSeverities(at(61_000))).toEqual({ ...atOnce, outage: 'warning', list: 'warning' })
})

test('failed sweeps are notified in the language of the mail, again where the server refuses, and text from outside as it was', async () => {
  let refused = 0
  await using mailbox = await startMailbox(() => {
    if (refused++ < 2) throw Object.assign(new Error('busy'), { responseCode: 451 })
  })
  await using t = await setupNotify(mailbox.url)
  const now = t.tools.clock()
  const began = (hoursAgo: number) => new Date(now.getTime() - hoursAgo * 3_600_000)
  const begin = (name: SweepName, slot: string, hoursAgo: number) =>
    insertSweep(t.sql, { name, slot, trigger: 'schedule', now: began(hoursAgo) })
  const older = await begin('usage', 'older', 26)
  const detail = { said: ['text', `ran for more than a day with ${cpf(1)}`] }
  await finishSweep(t.sql, older!, { state: 'failed', detail, now })
  await begin('usage', 'lost', 25)
  await repairStalled(t.tools, 0n)
  const refusedAt = await begin('purge', 'refused', 7)
  await runSweep(t.tools, refusedAt!, async () => {
    throw new Refused('GET /v2/x', 400, `nothing about ${cpf(1)}`)
  })
  await notifyIncidents(t.tools)

  const busy = 'The mail server of SMTP_URL answered 451 to DATA'
  await until(async () => (await listAlerts(t.sql, 9)).some(({ problem }) => problem === busy))
  await until(async () => mailbox.received.length === 6)
  expect(new Set(mailbox.received.map(({ id }) => id)).size).toBe(6)
  const mails = mailbox.received.map(bodiesOf)
  const notificationOf = (slot: string) => mails.find((text) => text.includes(slot))!
  expect(notificationOf('lost')).toContain('durou mais de um dia')
  expect(notificationOf('refused')).toContain('GET /v2/x respondeu 400')
  expect(notificationOf('older')).toContain('ran for more than a day')
  const [{ bodies }] = await t.sql<[{ bodies: string }]>`select string_agg(body::text, '') as bodies from vigia.alert`
  const sweeps = await toSweepsView(t.sql, await listSweeps(t.sql, { limit: 10 }), null)
  expect(JSON.stringify(sweeps.find(({ slot }) => slot === 'refused')?.detail)).toContain('nothing about ***')
  expect(mails.join('') + bodies + JSON.stringify(sweeps)).not.toContain(cpf(1))
})

test('two alerts have a Portuguese plural', () => {
  const { alerts, severities } = notificationLabels['pt-BR']
  expect(Object.values(severities).map((severity) => alerts('2', severity, false))).toEqual([
    '2 avisos informativos',
    '2 avisos de atenção',
    '2 avisos críticos',
  ])
})

test('a webhook is signed as Standard Webhooks verifies it, and with our own signature', async () => {
  await using receiver = await startReceiver()
  const key = `whsec_${Buffer.from('a-secret-of-some-length').toString('base64')}`
  for (const secret of [key, 'any other secret']) {
    await sendWebhook(
      { url: receiver.url, secret, allowPrivate: true },
      { id: 'd6c7', about: 'test', body: {} },
      new Date(),
    )
    const { headers, body } = receiver.received.at(-1)!
    const verifier = secret === key ? new Webhook(key) : new Webhook(Buffer.from(secret).toString('base64'))
    expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({ id: 'd6c7' })
    expect(headers['vigia-signature']).toMatch(/^sha256=/)
  }
})

const setupNotify = (
  smtp: string,
  { hook, critical }: { hook?: string; critical?: string } = {},
  config: SetupOptions['config'] = {},
) =>
  setup({
    config: {
      ...config,
      alerts: {
        email: { from: 'vigia@example.com', to: ['ana@example.com', 'bia@example.com'] },
        ...(hook && { webhook: hook, slack: { url: hook } }),
        ...(critical && { teams: { url: critical, severity: 'critical' } }),
        allowPrivate: true,
      },
    },
    env: { SMTP_URL: smtp, VIGIA_WEBHOOK_SECRET: 'shared' },
  })
