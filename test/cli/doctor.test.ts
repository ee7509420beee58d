import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { connect } from '../../src/store/connect.ts'
import { startReceiver } from '../monitoring/receiver.ts'
import { startMailbox } from '../notify/mailbox.ts'
import { createDatabase, createEmptyDatabase } from '../support/database.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { registryEnvironment } from '../support/registry-environment.ts'
import { call } from './call.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigia-doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('on a machine that is ready every check is ok', async () => {
  const { url, drop } = await createDatabase()
  const { exitCode, stdout } = await call(['doctor'], { DATABASE_URL: url, VIGIA_HOME: join(folder, 'ready') })
  expect(stdout.match(/^\S+ +\w+/gm)).toEqual(
    ['settings', 'machine', 'spending', 'folders', 'disk', 'database', 'sessions', 'vacuum', 'schema', 'registry'].map(
      (check) => `ok     ${check}`,
    ),
  )
  expect(exitCode).toBe(0)
  await drop()
})

test.skipIf(!hasPgBouncer)('a pool before the server is reported, and how workers learn of new work', async () => {
  const { url, drop } = await createDatabase()
  await using pool = await startPgBouncer(inject('databaseUrl'))
  const env = { DATABASE_URL: pool.through(url), VIGIA_HOME: join(folder, 'pool') }
  const { exitCode, stdout } = await call(['doctor'], env)
  expect(stdout).toMatch(
    /^ok +sessions +a pool stands before .*not prepared, and workers poll for new work twice a second$/m,
  )
  expect(exitCode).toBe(0)
  await drop()
})

test('a read-only database is wrong, and the line says what to do', async () => {
  const { url, drop } = await createDatabase()
  const readOnly = `${url}?default_transaction_read_only=on`
  const { exitCode, stdout } = await call(['doctor'], { DATABASE_URL: readOnly, VIGIA_HOME: join(folder, 'standby') })
  expect(stdout).toMatch(/^wrong {2}database +PostgreSQL .* is read-only: workers wait for it\n +Promote it/m)
  expect(exitCode).toBe(1)
  await drop()
})

test('shows what may be spent without approval, with its limits and its price', async () => {
  const config = join(folder, 'budget.json')
  const unitPrice = { amount: '1.90', currency: 'BRL' }
  writeFileSync(config, JSON.stringify({ budget: { perDay: 5_000, confirmAbove: 100, unitPrice } }))
  const env = { DATABASE_URL: 'postgres://vigia@127.0.0.1:1/vigia', VIGIA_HOME: join(folder, 'budget') }
  const open = (await call(['doctor'], env)).stdout
  expect(open).toMatch(/^ok +spending +files in the inbox and from `vigia submit` need no approval/m)
  const careful = (await call(['doctor'], { ...env, VIGIA_CONFIG: config })).stdout
  expect(careful).toMatch(/^ok +spending +files in the inbox .* need `vigia confirm` above 100 paid calls/m)
  expect(careful).toContain('at most 5,000 a day, none per batch')
  expect(careful).toContain('analysis R$1.90, cnh R$1.90')
})

test('for a database without the schema it names `vigia migrate`, which is enough', async () => {
  const { url, drop } = await createEmptyDatabase()
  const env = { DATABASE_URL: url, VIGIA_HOME: join(folder, 'empty') }
  const before = await call(['doctor'], env)
  expect(before.exitCode).toBe(1)
  expect(before.stdout).toMatch(/^wrong {2}schema .*not applied yet\n +Run `vigia migrate`\.$/m)

  const migrated = await call(['migrate', '--json'], env)
  expect(JSON.parse(migrated.stdout).migrated.length).toBeGreaterThan(0)
  expect((await call(['migrate'], env)).stdout).toMatch(/^The schema is current \(\d+ migrations\)\.\n$/)

  expect((await call(['doctor'], env)).exitCode).toBe(0)
  await drop()
})

test('a database that does not answer is named without its password', async () => {
  const env = { DATABASE_URL: 'postgres://vigia:hunter2@127.0.0.1:1/vigia', VIGIA_HOME: join(folder, 'down') }
  const { exitCode, stdout } = await call(['doctor'], env)
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^wrong {2}database +cannot use the database vigia at 127\.0\.0\.1:1: .*ECONNREFUSED/m)
  expect(stdout).not.toContain('hunter2')

  const migrate = await call(['migrate'], env)
  expect(migrate.exitCode).toBe(1)
  expect(migrate.stderr).toMatch(/^error: cannot use the database.*Check DATABASE_URL.*\n$/)
})

test('wrong settings are listed line by line, and nothing else is checked', async () => {
  const { exitCode, stdout } = await call(['doctor', '--json'], { PORT: 'x', VIGIA_HOEM: 'y' })
  expect(exitCode).toBe(2)
  const { ok, findings } = JSON.parse(stdout)
  expect(ok).toBe(false)
  expect(findings.map(({ says }: { says: string }) => says)).toEqual([
    'PORT expected a whole number, from 0 to 65535, got "x"',
    'VIGIA_HOEM is not a setting; did you mean VIGIA_HOME?',
  ])
})

test('a registry that accepts the token is ok, and the check is free', async () => {
  const { url, drop } = await createDatabase()
  await using sandbox = await startSandbox()
  const env = { DATABASE_URL: url, VIGIA_HOME: join(folder, 'registry'), ...registryEnvironment(sandbox) }
  const { exitCode, stdout } = await call(['doctor'], env)
  expect(stdout).toMatch(/^ok +token +accepted for organization 7001$/m)
  expect(exitCode).toBe(0)
  expect(sandbox.records.charges).toEqual([])
  await drop()
})

test('an expired token is reported, and is not renewed, because the workers do that', async () => {
  const { url, drop } = await createDatabase()
  await using sandbox = await startSandbox()
  const env = {
    DATABASE_URL: url,
    VIGIA_HOME: join(folder, 'token'),
    ...registryEnvironment(sandbox),
    REGISTRY_TOKEN: 'expired',
  }
  const { exitCode, stdout } = await call(['doctor'], env)
  expect(stdout).toMatch(/^wrong {2}token .*does not accept the token.*\n +Set a new REGISTRY_TOKEN/m)
  expect(exitCode).toBe(1)
  expect(sandbox.ledger.counts.refresh).toBe(0)
  await drop()
})

test('a registry that does not answer is named', async () => {
  const { url, drop } = await createDatabase()
  const sandbox = await startSandbox()
  await sandbox.close()
  const env = { DATABASE_URL: url, VIGIA_HOME: join(folder, 'gone'), ...registryEnvironment(sandbox) }
  expect((await call(['doctor'], env)).stdout).toMatch(/^wrong {2}registry .*ECONNREFUSED.*\n +Check REGISTRY_URL/m)
  await drop()
})

test('a home that cannot be written is named', async () => {
  const { url, drop } = await createDatabase()
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const { exitCode, stdout } = await call(['doctor'], { DATABASE_URL: url, VIGIA_HOME: file })
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^wrong {2}folders .*\n +Give this user access to it/m)
  await drop()
})

test('the mail server and the addresses of chats are tried, and nothing is sent', async () => {
  const { url, drop } = await createDatabase()
  await using mailbox = await startMailbox()
  await using receiver = await startReceiver([405])
  const config = join(folder, 'receivers.json')
  const closed = 'http://127.0.0.1:1/hook'
  const email = { from: 'vigia@example.com', to: ['ana@example.com'] }
  const alerts = { email, slack: { url: receiver.url }, teams: { url: closed }, allowPrivate: true }
  writeFileSync(config, JSON.stringify({ alerts }))
  const env = { DATABASE_URL: url, VIGIA_HOME: join(folder, 'receivers'), VIGIA_CONFIG: config }
  const first = await call(['doctor'], { ...env, SMTP_URL: mailbox.url })
  expect(first.stdout).toMatch(/^ok +mail +127\.0\.0\.1:\d+ accepts the sign-in/m)
  expect(first.stdout).toMatch(/^ok +messages +alerts\.slack can be reached/m)
  expect(first.stdout).toMatch(/^wrong {2}messages +.*alerts\.teams.*ECONNREFUSED.*\n +Check alerts\.teams/m)
  expect(first.exitCode).toBe(1)
  expect(mailbox.received).toEqual([])
  expect(receiver.received.map(({ body }) => body)).toEqual([''])
  const second = await call(['doctor'], { ...env, SMTP_URL: 'smtp://ana:hunter2@127.0.0.1:1' })
  expect(second.stdout).toMatch(/^wrong {2}mail +127\.0\.0\.1:1: .*\n +Check SMTP_URL/m)
  expect(second.stdout).not.toContain('hunter2')
  await drop()
})

test('where SCR is looked up, requiring authorizations is recommended', async () => {
  const { url, drop } = await createDatabase()
  const env = { DATABASE_URL: url, VIGIA_HOME: join(folder, 'scr') }
  const sql = connect(url)
  await sql`insert into vigia.portfolio (organization_id, name, kind, every_ms, due_at, added_at, added_by)
            values (7001, 'clients', 'scr', 86400000, now(), now(), 'test')`
  await sql.end()
  expect((await call(['doctor'], env)).stdout).toMatch(
    /^ok +scr +SCR is looked up, .*\n +Recommended: set scr\.requireAuthorization/m,
  )
  const config = join(folder, 'scr.json')
  writeFileSync(config, JSON.stringify({ scr: { requireAuthorization: true } }))
  const { stdout } = await call(['doctor'], { ...env, VIGIA_CONFIG: config })
  expect(stdout).toMatch(/^ok +scr +rows without an authorization are rejected$/m)
  await drop()
})

test('a purchase list that does not say whether it shows everything is to be stated in the settings', async () => {
  const { url, drop } = await createDatabase()
  const env = { DATABASE_URL: url, VIGIA_HOME: join(folder, 'list') }
  const sql = connect(url)
  await sql`insert into vigia.list_snapshot (organization_id, kind, ended_at, items, analyses, complete, oldest_at)
            values (7001, 'analysis', now(), 12, 12, false, now()), (7002, 'analysis', now(), 3, 3, true, now())`
  await sql.end()
  const { stdout } = await call(['doctor'], env)
  expect(stdout.match(/^ok +list .*$/gm)).toEqual([expect.stringMatching(/7001 \(12 items\)/)])
  expect(stdout).toMatch(/set registry\.list to \{ "shows": "everything" \}/)
  const config = join(folder, 'list.json')
  writeFileSync(config, JSON.stringify({ registry: { list: { shows: 'everything' } } }))
  expect((await call(['doctor'], { ...env, VIGIA_CONFIG: config })).stdout).not.toMatch(/^ok +list /m)
  await drop()
})
