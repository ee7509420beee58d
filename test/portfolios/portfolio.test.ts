import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { maskDocument } from '../../src/domain/document.ts'
import { replayRules } from '../../src/monitoring/rules.ts'
import { syncPortfolio } from '../../src/portfolios/keep-portfolio.ts'
import { listAudit } from '../../src/views/installation.ts'
import { call } from '../cli/call.ts'
import { bodiesOf, startMailbox } from '../notify/mailbox.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { addList, run, setupAhead, trigger } from './runs.ts'

test('a person adds a list, replaces it, and sees runs, cost and forecast on the command line', async () => {
  await using t = await setupAhead()
  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'silent' }
  const file = join(t.home, 'list.csv')
  await writeFile(file, `${csvOf(cpfs(4))}junk\n`)

  const added = await call(['portfolio', 'add', 'Clients', file, '--every', '30d', '--json'], env)
  expect(JSON.parse(added.stdout)).toMatchObject({
    state: 'waiting',
    month: { spent: 0 },
    listed: { documents: 4, rejected: 1, added: { count: 4 } },
  })
  expect(t.sandbox.charges()).toBe(0)
  expect(await call(['portfolio', 'add', 'clients', file, '--every', '30d'], env)).toMatchObject({ exitCode: 1 })
  expect(await call(['portfolio', 'add', 'x', file], env)).toMatchObject({ exitCode: 2 })
  expect(await call(['portfolio', 'add', 'x', file, '--every', '30d', '--kind', 'radar'], env)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--kind takes one of analysis, processes, cnh, scr, not "radar"'),
  })
  expect((await call(['portfolio', 'add', '--help'], env)).stdout).not.toContain('inactivation')
  expect(await call(['portfolio', 'add', cpf(1), file, '--every', '30d'], env)).toMatchObject({ exitCode: 1 })

  await run(t)
  await writeFile(file, csvOf([...cpfs(3), cpf(9)]))
  const synced = await call(['portfolio', 'sync', 'CLIENTS', file, '--dry-run'], env)
  expect(synced.stdout).toMatch(new RegExp(`Added +1: ${maskDocument(cpf(9)).replaceAll('*', '\\*')}`))
  expect(synced.stdout).toMatch(new RegExp(`Removed +1: ${maskDocument(cpf(3)).replaceAll('*', '\\*')}`))
  expect((await call(['portfolio', 'sync', 'clients', file], env)).exitCode).toBe(0)
  t.pass(31)
  await run(t)

  const shown = await call(['portfolio', 'clients', '--json'], env)
  expect(JSON.parse(shown.stdout)).toMatchObject({
    runs: 2,
    lastRuns: [
      { spent: 4, differences: { added: 1, removed: 1 }, documents: 4, verified: 4 },
      { spent: 4, differences: {} },
    ],
  })
  expect(t.sandbox.charges()).toBe(8)
  expect((await call(['portfolio', 'pause', 'clients'], env)).exitCode).toBe(0)
  expect((await call(['portfolios'], env)).stdout).toMatch(/Clients +analysis +4 +30 d +paused/)
  expect((await call(['portfolio', 'pause', 'clients'], env)).exitCode).toBe(1)
  t.pass(31)
  expect(await trigger(t)).toBe(0)
  expect((await call(['portfolio', 'resume', 'clients'], env)).exitCode).toBe(0)
  expect((await call(['portfolio', 'remove', 'clients'], env)).exitCode).toBe(0)
  expect((await call(['portfolio', 'show', 'clients'], env)).stderr).toContain('There is no portfolio clients')
  expect(await trigger(t)).toBe(0)
  expect((await listAudit(t.sql, 1))[0]).toMatchObject({ what: 'remove portfolio', subject: 'portfolio Clients' })
})

test('a run is one notification with its differences, or only those of its list; rules judge it, and the back-test agrees', async () => {
  await using mailbox = await startMailbox()
  await using t = await setupAhead({
    config: {
      language: 'en',
      rules: [
        { name: 'here', when: 'appears', classes: ['RISK_WORKER'], severity: 'critical', portfolio: 'Clients' },
        { name: 'elsewhere', when: 'appears', classes: ['RISK_WORKER'], portfolio: 'Suppliers' },
      ],
      alerts: { email: { from: 'vigia@example.com', to: ['ana@example.com'] } },
    },
    env: { SMTP_URL: mailbox.url },
  })
  for (const code of cpfs(3)) t.sandbox.plantChange(code, { figures: { RISK_WORKER: { count: 0, cents: 0 } } })
  await addList(t, 'Clients', cpfs(3))
  await run(t)
  t.sandbox.plantChange(cpf(1), { figures: { RISK_WORKER: { count: 2, cents: 5_000_00 } } })
  t.pass(31)
  const { id } = await run(t)

  await until(async () => mailbox.received.length === 2)
  const [, letter] = mailbox.received.map(bodiesOf)
  expect(letter).toContain('1 critical alert')
  expect(letter).toContain('3 of 3 verified, 1 changed.')
  expect(letter).toContain('Paid look-ups: 3.')
  for (const code of cpfs(3)) expect(mailbox.received.map(({ raw }) => raw).join() + letter).not.toContain(code)
  const { alerts } = await replayRules(t.sql, t.settings.rules, 1)
  expect(alerts).toMatchObject([{ document: cpf(1), rule: 'here', severity: 'critical', portfolio: 'Clients' }])
  const met = await t.sql`
    select m.rule, m.notified from vigia.rule_met m join vigia.change c on c.id = m.change_id where c.sweep_id = ${id}`
  expect(met).toEqual([{ rule: 'here', notified: true }])

  async function* open() {
    yield Buffer.from(csvOf([cpf(0), cpf(1), cpf(7), cpf(8)]))
  }
  await syncPortfolio(t.sql, { name: 'Clients', open }, { by: 'test', now: t.tools.clock() })
  t.pass(31)
  expect(await run(t)).toMatchObject({ changed: 0, detail: { differences: { added: 2, removed: 1 } } })
  await until(async () => mailbox.received.length === 3)
  const last = bodiesOf(mailbox.received[2]!)
  expect(last).toContain('Only the list changed')
  expect(last).not.toContain('Nothing changed')
})
