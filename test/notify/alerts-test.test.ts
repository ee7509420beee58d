import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call } from '../cli/call.ts'
import { startReceiver } from '../monitoring/receiver.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { environmentOf, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { bodiesOf, startMailbox } from './mailbox.ts'

test('`vigia alerts test` queues its messages before a first worker ran', async () => {
  const { url, drop } = await createEmptyDatabase()
  const home = await mkdtemp(join(tmpdir(), 'vigia-alerts-'))
  const config = join(home, 'settings.json')
  await writeFile(config, JSON.stringify({ alerts: { webhook: 'https://example.com/hook' } }))
  const env = {
    DATABASE_URL: url,
    VIGIA_HOME: home,
    VIGIA_CONFIG: config,
    VIGIA_WEBHOOK_SECRET: 's',
    LOG_LEVEL: 'silent',
  }
  expect(await call(['alerts', 'test'], env)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 message queued for the workers'),
  })
  await rm(home, { recursive: true })
  await drop()
})

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
