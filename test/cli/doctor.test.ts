import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { connect } from '../../src/store/connect.ts'
import { startReceiver } from '../monitoring/receiver.ts'
import { startMailbox } from '../notify/mailbox.ts'
import { createDatabase, createEmptyDatabase } from '../support/database.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { registryEnvironment } from '../support/registry-environment.ts'
import { call } from './call.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigia-doctor-'))
let database: Awaited<ReturnType<typeof createDatabase>>
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Examines a machine with a database and a home that are ready, except for what is given. */
const doctor = (env: Record<string, string> = {}, config: object = {}) => {
  const file = join(folder, 'settings.json')
  writeFileSync(file, JSON.stringify(config))
  const ready = { DATABASE_URL: database.url, VIGIA_HOME: join(folder, 'home'), VIGIA_CONFIG: file }
  return call(['doctor'], { ...ready, ...env })
}

test('on a machine that is ready every check is ok', async () => {
  const { exitCode, stdout } = await doctor()
  expect(stdout.match(/^\S+ +\w+/gm)).toEqual(
    ['settings', 'machine', 'spending', 'folders', 'disk', 'database', 'sessions', 'vacuum', 'schema', 'registry'].map(
      (check) => `ok     ${check}`,
    ),
  )
  expect(exitCode).toBe(0)
})

test.skipIf(!hasPgBouncer)('a pool before the server is reported, and how workers learn of new work', async () => {
  await using pool = await startPgBouncer(inject('databaseUrl'))
  const { exitCode, stdout } = await doctor({ DATABASE_URL: pool.through(database.url) })
  expect(stdout).toMatch(
    /^ok +sessions +a pool stands before .*not prepared, and workers poll for new work twice a second$/m,
  )
  expect(exitCode).toBe(0)
})

test('a read-only database is wrong, and the line says what to do', async () => {
  const { exitCode, stdout } = await doctor({ DATABASE_URL: `${database.url}?default_transaction_read_only=on` })
  expect(stdout).toMatch(/^wrong {2}database +PostgreSQL .* is read-only: workers wait for it\n +Promote it/m)
  expect(exitCode).toBe(1)
})

test('shows what may be spent without approval, with its limits and its price', async () => {
  const env = { DATABASE_URL: 'postgres://vigia@127.0.0.1:1/vigia' }
  expect((await doctor(env)).stdout).toMatch(
    /^ok +spending +files in the inbox and from `vigia submit` need no approval/m,
  )
  const unitPrice = { amount: '1.90', currency: 'BRL' }
  const careful = (await doctor(env, { budget: { perDay: 5_000, confirmAbove: 100, unitPrice } })).stdout
  expect(careful).toMatch(/^ok +spending +files in the inbox .* need `vigia confirm` above 100 paid calls/m)
  expect(careful).toContain('at most 5,000 a day, none per batch')
  expect(careful).toContain('analysis R$1.90, cnh R$1.90')
})

test('for a database without the schema it names `vigia migrate`, which is enough', async () => {
  const { url, drop } = await createEmptyDatabase()
  const env = { DATABASE_URL: url, VIGIA_HOME: join(folder, 'home') }
  const before = await doctor(env)
  expect(before.exitCode).toBe(1)
  expect(before.stdout).toMatch(/^wrong {2}schema .*not applied yet\n +Run `vigia migrate`\.$/m)

  const migrated = await call(['migrate', '--json'], env)
  expect(JSON.parse(migrated.stdout).migrated.length).toBeGreaterThan(0)
  expect((await call(['migrate'], env)).stdout).toMatch(/^The schema is current \(\d+ migrations\)\.\n$/)
  expect((await doctor(env)).exitCode).toBe(0)
  await drop()
})

test('a database that does not answer is named without its password', async () => {
  const env = { DATABASE_URL: 'postgres://vigia:hunter2@127.0.0.1:1/vigia', VIGIA_HOME: join(folder, 'down') }
  const { exitCode, stdout } = await doctor(env)
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

test('a registry that accepts the token is ok, which is free; an expired token is reported, not renewed', async () => {
  await using sandbox = await startSandbox()
  const valid = await doctor(registryEnvironment(sandbox))
  expect(valid.stdout).toMatch(/^ok +token +accepted for organization 7001$/m)
  expect(valid.exitCode).toBe(0)
  expect(sandbox.records.charges).toEqual([])

  const expired = await doctor({ ...registryEnvironment(sandbox), REGISTRY_TOKEN: 'expired' })
  expect(expired.stdout).toMatch(/^wrong {2}token .*does not accept the token.*\n +Set a new REGISTRY_TOKEN/m)
  expect(expired.exitCode).toBe(1)
  expect(sandbox.ledger.counts.refresh).toBe(0)

  await sandbox.close()
  const { stdout } = await doctor(registryEnvironment(sandbox))
  expect(stdout).toMatch(/^wrong {2}registry .*ECONNREFUSED.*\n +Check REGISTRY_URL/m)
})

test('a home that cannot be written is named', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const { exitCode, stdout } = await doctor({ VIGIA_HOME: file })
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^wrong {2}folders .*\n +Give this user access to it/m)
})

test('the mail server and the addresses of chats are tried, and nothing is sent', async () => {
  await using mailbox = await startMailbox()
  await using receiver = await startReceiver([405])
  const closed = 'http://127.0.0.1:1/hook'
  const email = { from: 'vigia@example.com', to: ['ana@example.com'] }
  const alerts = { email, slack: { url: receiver.url }, teams: { url: closed }, allowPrivate: true }
  const first = await doctor({ SMTP_URL: mailbox.url }, { alerts })
  expect(first.stdout).toMatch(/^ok +mail +127\.0\.0\.1:\d+ accepts the sign-in/m)
  expect(first.stdout).toMatch(/^ok +messages +alerts\.slack can be reached/m)
  expect(first.stdout).toMatch(/^wrong {2}messages +.*alerts\.teams.*ECONNREFUSED.*\n +Check alerts\.teams/m)
  expect(first.exitCode).toBe(1)
  expect(mailbox.received).toEqual([])
  expect(receiver.received.map(({ body }) => body)).toEqual([''])
  const second = await doctor({ SMTP_URL: 'smtp://ana:hunter2@127.0.0.1:1' }, { alerts })
  expect(second.stdout).toMatch(/^wrong {2}mail +127\.0\.0\.1:1: .*\n +Check SMTP_URL/m)
  expect(second.stdout).not.toContain('hunter2')
})

test('what the rows and lists of the database make advisable is recommended, unless the settings have it', async () => {
  const { url, drop } = await createDatabase()
  const sql = connect(url)
  await sql`insert into vigia.portfolio (organization_id, name, kind, every_ms, due_at, added_at, added_by)
            values (7001, 'clients', 'scr', 86400000, now(), now(), 'test')`
  await sql`insert into vigia.list_snapshot (organization_id, kind, ended_at, items, analyses, complete, oldest_at)
            values (7001, 'analysis', now(), 12, 12, false, now()), (7002, 'analysis', now(), 3, 3, true, now())`
  await sql.end()
  const { stdout } = await doctor({ DATABASE_URL: url })
  expect(stdout).toMatch(/^ok +scr +SCR is looked up, .*\n +Recommended: set scr\.requireAuthorization/m)
  expect(stdout.match(/^ok +list .*$/gm)).toEqual([expect.stringMatching(/7001 \(12 items\)/)])
  expect(stdout).toMatch(/set registry\.list to \{ "shows": "everything" \}/)

  const done = { scr: { requireAuthorization: true }, registry: { list: { shows: 'everything' } } }
  const followed = (await doctor({ DATABASE_URL: url }, done)).stdout
  expect(followed).toMatch(/^ok +scr +rows without an authorization are rejected$/m)
  expect(followed).not.toMatch(/^ok +list /m)
  await drop()
})
