import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../src/store/embedded/start-embedded.ts'
import { run, serverOf, setup } from './embedded-setup.ts'

test('only who can read the password file gets in, and only from this machine', async () => {
  await using t = await setup()
  const { url } = await t.start()
  expect((await stat(join(t.home, 'postgres/password'))).mode & 0o777).toBe(0o600)
  const wrong = new URL(url)
  wrong.password = 'guess'
  await expect(run(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  expect(await run(url, 'show listen_addresses')).toEqual([{ listenAddresses: '127.0.0.1' }])
  expect(await run(url, 'show unix_socket_directories')).toEqual([{ unixSocketDirectories: '' }])
  const methods = await run(url, 'select distinct auth_method from pg_hba_file_rules')
  expect(methods).toEqual([{ authMethod: 'scram-sha-256' }])
})

test('says what to do when the password file is lost', async () => {
  await using t = await setup()
  const first = await t.start()
  await first.release()
  await rm(join(t.home, 'postgres/password'))
  await expect(startEmbedded({ home: t.home })).rejects.toThrow(/cannot be read.*Put the file back[\s\S]*DATABASE_URL/)
})

test('shows the output of PostgreSQL when it does not start', async () => {
  await using t = await setup()
  const started = startEmbedded({ home: t.home, settings: { max_connections: 'many' } })
  await expect(started).rejects.toThrow(/max_connections.*many/)
})

test('writes no document from a failed statement into its log', async () => {
  await using t = await setup()
  const { url } = await t.start()
  await run(url, `create table public.person (cpf text primary key); insert into public.person values ('52998224725')`)
  await expect(run(url, `insert into public.person values ('52998224725')`)).rejects.toThrow('duplicate key')
  await expect(run(url, `select '52998224725x'::bigint`)).rejects.toThrow('invalid input')
  const log = await readFile(join(t.home, 'postgres/postgres.log'), 'utf8')
  expect(log).toContain('ready to accept connections')
  expect(log).not.toContain('52998224725')
})

test.runIf(process.platform === 'linux')('gives the server none of our secrets', async () => {
  await using t = await setup()
  const owner = await t.startProcess({ env: { ...process.env, REGISTRY_TOKEN: 'very-secret' } })
  const server = await t.start()
  expect(await readFile(`/proc/${owner.child.pid}/environ`, 'utf8')).toContain('very-secret')
  expect(await readFile(`/proc/${serverOf(server).pid}/environ`, 'utf8')).not.toContain('very-secret')
})
