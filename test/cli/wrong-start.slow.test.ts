import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { type Ended, type Installed, install, installHere } from './vigia-process.ts'

const oneLine = (labels: RegExp) => new RegExp(`^error: [^\\n]*${labels.source}[^\\n]*\\n$`)

const refusedWith = (ended: Ended, labels: RegExp) => {
  expect(ended.stderr).toMatch(oneLine(labels))
  expect(ended.exitCode).toBe(2)
}

const begun = async (t: Installed) => {
  const [counts] = await t.sql`
    select (select count(*) from vigia.sweep)::int as sweeps, (select count(*) from vigia.schedule)::int as schedules,
           (select count(*) from vigia.worker)::int as workers`
  return counts
}

test('a page that nobody could sign in to is refused before anything begins', async () => {
  await using t = await install()
  t.env.HOST = '0.0.0.0'
  refusedWith(await t.vigia('worker'), /nobody could sign in: first run 'vigia operator add NAME --role admin'/)
  expect(await begun(t)).toEqual({ sweeps: 0, schedules: 0, workers: 0 })
})

test('a port in use is refused before anything begins, and the line says what to do', async () => {
  await using t = await install()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  t.env.PORT = String(port)
  refusedWith(await t.vigia('worker'), new RegExp(`127.0.0.1:${port}: another program listens there.*set PORT`))
  expect(await begun(t)).toEqual({ sweeps: 0, schedules: 0, workers: 0 })
  server.close()
})

test('an address of another machine is refused', async () => {
  await using t = await installHere()
  await t.vigia('operator', 'add', 'ana', '--role', 'admin')
  t.env.HOST = '203.0.113.9'
  t.env.PORT = '8099'
  refusedWith(await t.start('worker').ended, /203.0.113.9:8099: this machine has no such address/)
})

test('a home that is a file, or lies in one, is refused by every command', async () => {
  await using t = await installHere()
  const file = await t.write('a file', 'x')
  t.env.VIGIA_HOME = file
  refusedWith(await t.start('worker').ended, /VIGIA_HOME cannot be .*a file: .* is a file, not a folder/)
  refusedWith(await t.vigia('batches'), /VIGIA_HOME cannot be/)
  t.env.VIGIA_HOME = join(file, 'home')
  refusedWith(await t.start('worker').ended, /VIGIA_HOME cannot be .*home: ENOTDIR/)
})

test.skipIf(process.platform !== 'linux')('folders that cannot be made are refused, and nothing hangs', async () => {
  await using t = await install()
  const people = await t.write('people.csv', csvOf(cpfs(2)))
  refusedWith(
    await t.vigia('run', people, '--yes', '--out', '/proc/x/y'),
    /--out \/proc\/x\/y is not a writable folder/,
  )
  t.env.VIGIA_HOME = '/proc/x'
  refusedWith(await t.vigia('worker'), /VIGIA_HOME cannot be \/proc\/x: ENOENT/)
  refusedWith(await t.vigia('demo'), /VIGIA_HOME cannot be \/proc\/x\/demo: ENOENT/)
})
