import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call } from '../cli/call.ts'
import { startReceiver } from '../monitoring/receiver.ts'
import { environmentOf, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { bodiesOf, startMailbox } from './mailbox.ts'

test('`vigia alerts test` reaches every address of the settings once, and `vigia alerts` lists it', async () => {
  await using mailbox = await startMailbox()
  await using receiver = await startReceiver()
  const hook = receiver.url
  const alerts = {
    email: { from: 'vigia@example.com', to: ['ana@example.com', 'bia@example.com'], severity: 'critical' },
    webhook: hook,
    slack: { url: hook },
    teams: { url: hook },
    allowPrivate: true,
  }
  const secrets = { SMTP_URL: mailbox.url, VIGIA_WEBHOOK_SECRET: 'shared' }
  await using t = await setup({ config: { alerts }, env: secrets })
  const config = join(t.home, 'settings.json')
  await writeFile(config, JSON.stringify({ alerts }))
  const env = {
    ...environmentOf(t.sandbox, t.databaseUrl, t.home),
    ...secrets,
    VIGIA_CONFIG: config,
    LOG_LEVEL: 'silent',
  }

  expect((await call(['alerts', 'test'], env)).stdout).toContain('5 messages queued for the workers')

  await until(async () => mailbox.received.length === 2 && receiver.received.length === 3)
  const listed = await until(async () => {
    const { alerts: all } = JSON.parse((await call(['alerts', '--json'], env)).stdout)
    return all.every(({ sent }: { sent: string | null }) => sent) && all
  })
  expect(listed.map(({ address }: { address: string }) => address).sort()).toEqual([
    'alerts.slack',
    'alerts.teams',
    'alerts.webhook',
    'ana@example.com',
    'bia@example.com',
  ])
  expect(bodiesOf(mailbox.received[0]!)).toContain('Isto é um teste')
  const silent = environmentOf(t.sandbox, t.databaseUrl, t.home)
  expect(await call(['alerts', 'test'], { ...silent, LOG_LEVEL: 'silent' })).toMatchObject({ exitCode: 1 })
})
