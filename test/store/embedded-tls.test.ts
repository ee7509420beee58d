import { chown, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBoss } from '../../src/queue/boss.ts'
import { connect } from '../../src/store/connect.ts'
import { copyIn } from '../../src/store/copy.ts'
import { createAuthority } from '../support/certificates.ts'
import { until } from '../support/until.ts'
import { run, setup } from './embedded-setup.ts'

const ours = createAuthority('authority of the tests')
const other = createAuthority('another authority')

let t: Awaited<ReturnType<typeof setup>>
let server: { url: string; data: string }

beforeAll(async () => {
  t = await setup()
  server = await t.start()
  await run(server.url, 'alter system set ssl = on')
  await run(server.url, `alter system set ssl_ca_file = '${await serverFile('clients.crt', ours.cert)}'`)
  await run(server.url, `create role guest login password 'secret'`)
  await run(server.url, `create role holder login password 'secret'`)
  const file = join(server.data, 'pg_hba.conf')
  const rules = [
    'hostssl all guest 127.0.0.1/32 scram-sha-256',
    'hostssl all holder 127.0.0.1/32 scram-sha-256 clientcert=verify-ca',
    'host all vigia 127.0.0.1/32 scram-sha-256',
  ]
  await writeFile(file, rules.join('\n'))
  await serve(ours.issue({ name: 'db', hosts: ['127.0.0.1'] }))
})

afterAll(() => t[Symbol.asyncDispose]())

test('without sslmode, or with sslmode=disable, nothing is encrypted', async () => {
  expect(await tlsOf('')).toBe(false)
  expect(await tlsOf('sslmode=disable')).toBe(false)
})

test('allow, prefer and require encrypt, whoever signed the certificate', async () => {
  for (const mode of ['allow', 'prefer', 'require']) expect(await tlsOf(`sslmode=${mode}`)).toBe(true)
})

test('verify-ca and verify-full accept a certificate of the authority, and so does require with sslrootcert', async () => {
  const root = await file('ours.crt', ours.cert)
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    expect(await tlsOf(`sslmode=${mode}&sslrootcert=${root}`)).toBe(true)
})

test('a certificate of another authority is refused, and the message says whose is expected', async () => {
  const root = await file('other.crt', other.cert)
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    await expect(tlsOf(`sslmode=${mode}&sslrootcert=${root}`)).rejects.toThrow(
      `the server's certificate is signed by no authority of ${root}`,
    )
  }
  await expect(tlsOf('sslmode=verify-full')).rejects.toThrow('signed by no authority of the system')
})

test('a certificate for another host is refused by verify-full, and accepted by verify-ca', async () => {
  await serve(ours.issue({ name: 'db', hosts: ['db.example.com'] }))
  const root = await file('ours.crt', ours.cert)
  expect(await tlsOf(`sslmode=verify-ca&sslrootcert=${root}`)).toBe(true)
  await expect(tlsOf(`sslmode=verify-full&sslrootcert=${root}`)).rejects.toThrow(
    "the server's certificate is for DNS:db.example.com, not for 127.0.0.1: use a name that it is for",
  )
  await serve(ours.issue({ name: 'db', hosts: ['127.0.0.1'] }))
})

test('an expired certificate is refused with its date', async () => {
  await serve(ours.issue({ name: 'db', hosts: ['127.0.0.1'], until: new Date('2026-01-02T03:04:05Z') }))
  const root = await file('ours.crt', ours.cert)
  await expect(tlsOf(`sslmode=verify-full&sslrootcert=${root}`)).rejects.toThrow(
    "the server's certificate has expired on Jan  2 03:04:05 2026 GMT",
  )
  await serve(ours.issue({ name: 'db', hosts: ['127.0.0.1'] }))
})

test('a client certificate is sent where the server asks for one', async () => {
  const mine = ours.issue({ name: 'holder' })
  const [cert, key] = [await file('mine.crt', mine.cert), await file('mine.key', mine.key)]
  expect(await tlsOf(`sslmode=require&sslcert=${cert}&sslkey=${key}`, 'holder')).toBe(true)
  await expect(tlsOf('sslmode=require', 'holder')).rejects.toThrow('connection requires a valid client certificate')
})

test('a key that is not the key of the certificate is named', async () => {
  const mine = ours.issue({ name: 'holder' })
  const [cert, key] = [await file('mine.crt', mine.cert), await file('not-mine.key', other.key)]
  await expect(tlsOf(`sslmode=require&sslcert=${cert}&sslkey=${key}`)).rejects.toThrow('sslcert and sslkey')
  await expect(tlsOf(`sslmode=require&sslcert=${cert}&sslkey=${cert}`)).rejects.toThrow('sslcert and sslkey')
  await expect(tlsOf(`sslmode=verify-full&sslrootcert=${key}`)).rejects.toThrow('sslrootcert')
})

test('a role that needs TLS is refused without it', async () => {
  await expect(tlsOf('', 'guest')).rejects.toThrow('no encryption')
  expect(await tlsOf('sslmode=require', 'guest')).toBe(true)
})

test('with several hosts each is asked by TLS, and the one that takes writes is used', async () => {
  const root = await file('ours.crt', ours.cert)
  const url = new URL(address(`sslmode=verify-full&sslrootcert=${root}`))
  const many = url.href.replace(url.host, `127.0.0.1:1,${url.host}`)
  expect(await encrypted(many)).toBe(true)
})

test('the queue reaches the server as the store does', async () => {
  const root = await file('ours.crt', ours.cert)
  const url = address(`sslmode=verify-full&sslrootcert=${root}`)
  const boss = await startBoss(url, console)
  const sql = connect(url, { max: 1 })
  const rows = await sql`
    select distinct s.ssl
      from pg_stat_activity a join pg_stat_ssl s using (pid)
     where a.application_name = 'vigia pg-boss'`
  expect([...rows]).toEqual([{ ssl: true }])
  await boss.stop({ graceful: false })
  await sql.end()
})

test('a large COPY passes', async () => {
  const sql = connect(address('sslmode=require'), { max: 1 })
  await sql`create temporary table line (text text)`
  const lines = Array.from({ length: 20_000 }, (_, number) => [`${number}${'x'.repeat(200)}`])
  await copyIn(sql`copy line (text) from stdin`, lines)
  expect([...(await sql`select count(*)::int as lines from line`)]).toEqual([{ lines: 20_000 }])
  await sql.end()
})

test('a server without TLS serves sslmode=prefer, and is refused by require', async () => {
  await run(server.url, 'alter system set ssl = off')
  await reload()
  expect(await tlsOf('sslmode=prefer')).toBe(false)
  await expect(tlsOf('sslmode=require')).rejects.toThrow('the server offers no TLS')
  await run(server.url, 'alter system set ssl = on')
  await reload()
})

test('what is no PostgreSQL, or sends more than its answer, is refused', async () => {
  for (const answer of ['HTTP/1.1 400 Bad Request\r\n', 'SX']) {
    await using fake = await startFake(answer)
    const url = `postgres://u:p@127.0.0.1:${fake.port}/db?sslmode=require`
    await expect(encrypted(url)).rejects.toThrow('the server offers no TLS')
  }
})

const startFake = async (answer: string): Promise<AsyncDisposable & { port: number }> => {
  const fake: Server = createServer((socket) => socket.once('data', () => socket.end(answer)))
  await new Promise<void>((done) => fake.listen(0, '127.0.0.1', done))
  const { port } = fake.address() as { port: number }
  return { port, [Symbol.asyncDispose]: async () => void fake.close() }
}

const address = (parameters: string, user?: string): string => {
  const url = new URL(server.url)
  if (user) Object.assign(url, { username: user, password: 'secret' })
  url.search = parameters
  return url.href
}

const tlsOf = (parameters: string, user?: string): Promise<boolean> => encrypted(address(parameters, user))

const encrypted = async (url: string): Promise<boolean> => {
  const [row] = (await run(url, 'select ssl from pg_stat_ssl where pid = pg_backend_pid()')) as { ssl: boolean }[]
  return row!.ssl
}

const file = async (name: string, content: string): Promise<string> => {
  const path = join(t.home, name)
  await writeFile(path, content)
  return path
}

/** A file as the server wants it: its own, and closed to others. */
const serverFile = async (name: string, content: string): Promise<string> => {
  const path = join(server.data, name)
  const { uid, gid } = await stat(server.data)
  await writeFile(path, content, { mode: 0o600 })
  await chown(path, uid, gid)
  return path
}

/** Gives the server another certificate: new connections get it. */
const serve = async ({ cert, key }: { cert: string; key: string }): Promise<void> => {
  await serverFile('server.crt', cert)
  await serverFile('server.key', key)
  await reload()
}

/** New connections know the new settings only once the server has read them. */
const reload = async (): Promise<void> => {
  const [{ at }] = (await run(server.url, 'select clock_timestamp()::text as at, pg_reload_conf()')) as [{ at: string }]
  const isRead = async () => {
    const [row] = (await run(server.url, `select pg_conf_load_time() > '${at}' as read`)) as { read: boolean }[]
    return row!.read
  }
  await until(isRead)
}
