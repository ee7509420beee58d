import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { identify } from '../../src/home/process-identity.ts'
import { connect } from '../../src/store/connect.ts'
import { findPostmaster, stopPostmaster } from '../../src/store/embedded/postmaster.ts'
import { type Embedded, startEmbedded } from '../../src/store/embedded.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const opened: Embedded[] = []
const children: ChildProcess[] = []
const folders: string[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of opened.splice(0)) {
    await server.release()
    await stopPostmaster(server.data)
    folders.push(dirname(server.data))
  }
})
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

test('keeps what was written from one start to the next', async () => {
  const home = await createHome()
  const first = await start(home)
  await run(first.url, 'create table public.kept as select 42 as answer')
  await first.release()
  const second = await start(home)
  expect(await run(second.url, 'select answer from public.kept')).toEqual([{ answer: 42 }])
  expect(await run(second.url, 'show fsync')).toEqual([{ fsync: 'on' }])
})

test('works in a path with spaces and quotes', async () => {
  const home = join(await createHome(), `a home's "folder" of ours`)
  const { url } = await start(home)
  expect(await run(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('stops the server when the last one lets go, and leaves no process behind', async () => {
  const home = await createHome()
  const [one, two] = [await start(home), await start(home)]
  const { pid } = serverOf(one)
  expect(two.url).toBe(one.url)
  await one.release()
  await one.release()
  expect(await run(two.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await two.release()
  expect(identify(pid)).toBeUndefined()
})

test('shares one server among processes that start at once on a new home', async () => {
  const home = await createHome()
  const started = await Promise.all([1, 2, 3, 4].map(() => startProcess(home)))
  const urls = new Set(started.map(({ url }) => url))
  expect(urls.size).toBe(1)
  const last = await start(home)
  await Promise.all(started.map(({ end }) => end()))
  expect(await run(last.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('adopts the server of an owner that was killed', async () => {
  const home = await createHome()
  const owner = await startProcess(home)
  await run(owner.url, 'create table public.kept as select 1 as one')
  owner.child.kill('SIGKILL')
  await once(owner.child, 'exit')
  const heir = await start(home)
  expect(heir.url).toBe(owner.url)
  expect(await run(heir.url, 'select * from public.kept')).toEqual([{ one: 1 }])
  const { pid } = serverOf(heir)
  await heir.release()
  expect(identify(pid)).toBeUndefined()
})

test('a Ctrl-C in the terminal reaches us and not the server', async () => {
  const home = await createHome()
  const owner = await startProcess(home)
  process.kill(-(owner.child.pid as number), 'SIGINT')
  await once(owner.child, 'exit')
  expect((await start(home)).url).toBe(owner.url)
})

test('starts again after the server was killed, with all that was committed', async () => {
  const home = await createHome()
  const first = await start(home)
  await run(first.url, 'create table public.kept as select 7 as seven')
  const { pid } = serverOf(first)
  process.kill(pid, 'SIGKILL')
  const second = await start(home)
  expect(serverOf(second).pid).not.toBe(pid)
  expect(await run(second.url, 'select * from public.kept')).toEqual([{ seven: 7 }])
})

test('starts although the number in an old postmaster.pid now belongs to another program', async () => {
  const home = await createHome()
  const first = await start(home)
  const note = join(first.data, 'postmaster.pid')
  const text = await readFile(note, 'utf8')
  const { uid, gid } = await stat(first.data)
  await first.release()
  const stranger = spawn('sleep', ['60'], { uid, gid })
  children.push(stranger)
  await writeFile(note, text.replace(/^\d+/, `${stranger.pid}`))
  await chown(note, uid, gid)
  const second = await start(home)
  expect(await run(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
})

test('keeps its port, and takes another one when that is taken', async () => {
  const home = await createHome()
  const first = await start(home)
  const port = Number(new URL(first.url).port)
  await first.release()
  const again = await start(home)
  expect(again.url).toBe(first.url)
  await again.release()
  const stranger = createServer().listen(port, '127.0.0.1')
  await once(stranger, 'listening')
  const moved = await start(home)
  expect(new URL(moved.url).port).not.toBe(`${port}`)
  expect(await readFile(join(home, 'postgres/port'), 'utf8')).toBe(`${new URL(moved.url).port}\n`)
  stranger.close()
})

test('only who can read the password file gets in, and only from this machine', async () => {
  const home = await createHome()
  const { url } = await start(home)
  expect((await stat(join(home, 'postgres/password'))).mode & 0o777).toBe(0o600)
  const wrong = new URL(url)
  wrong.password = 'guess'
  await expect(run(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  expect(await run(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  expect(await run(url, 'show unix_socket_directories')).toEqual([{ unix_socket_directories: '' }])
  const methods = await run(url, 'select distinct auth_method from pg_hba_file_rules')
  expect(methods).toEqual([{ auth_method: 'scram-sha-256' }])
})

test('says what to do when the password file is lost', async () => {
  const home = await createHome()
  const first = await start(home)
  await first.release()
  await rm(join(home, 'postgres/password'))
  await expect(startEmbedded({ home })).rejects.toThrow(/cannot be read.*Put the file back[\s\S]*DATABASE_URL/)
})

test('says what PostgreSQL said when it does not start', async () => {
  const home = await createHome()
  await expect(startEmbedded({ home, settings: { max_connections: 'many' } })).rejects.toThrow(/max_connections.*many/)
})

test('writes no document from a failed statement into its log', async () => {
  const home = await createHome()
  const { url } = await start(home)
  await run(url, `create table public.person (cpf text primary key)`)
  await run(url, `insert into public.person values ('52998224725')`)
  await expect(run(url, `insert into public.person values ('52998224725')`)).rejects.toThrow('duplicate key')
  await expect(run(url, `select '52998224725x'::bigint`)).rejects.toThrow('invalid input')
  const log = await readFile(join(home, 'postgres/postgres.log'), 'utf8')
  expect(log).toContain('ready to accept connections')
  expect(log).not.toContain('52998224725')
})

test.runIf(process.platform === 'linux')('gives the server none of our secrets', async () => {
  const home = await createHome()
  const owner = await startProcess(home, { env: { ...process.env, REGISTRY_TOKEN: 'very-secret' } })
  const server = await start(home)
  expect(await readFile(`/proc/${owner.child.pid}/environ`, 'utf8')).toContain('very-secret')
  expect(await readFile(`/proc/${serverOf(server).pid}/environ`, 'utf8')).not.toContain('very-secret')
})

test.runIf(isRoot)('as root, runs the server as another user', async () => {
  const server = await start(await createHome())
  expect((await stat(server.data)).uid).toBeGreaterThan(0)
  expect((await stat(`/proc/${serverOf(server).pid}`)).uid).toBe((await stat(server.data)).uid)
})

test.runIf(isRoot)('as root in a 0700 home, keeps the data where the server can reach it and says where', async () => {
  const home = await createHome()
  await chmod(home, 0o700)
  const first = await start(home)
  expect(first.data.startsWith(home)).toBe(false)
  expect(await readFile(join(home, 'postgres/DATA-IS-ELSEWHERE.txt'), 'utf8')).toContain(`${dirname(first.data)}\n`)
  await run(first.url, 'create table public.kept as select 1 as one')
  await first.release()
  const second = await start(home)
  expect(await run(second.url, 'select * from public.kept')).toEqual([{ one: 1 }])
  await second.release()
  await rm(dirname(first.data), { recursive: true })
  await expect(startEmbedded({ home })).rejects.toThrow(/which is not there/)
})

test.runIf(isRoot)('an ordinary user runs the server as itself', async () => {
  const home = await createHome()
  await chown(home, NOBODY, NOBODY)
  await chmod(home, 0o700)
  const owner = await startProcess(home, { uid: NOBODY, gid: NOBODY })
  expect(await run(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await stat(join(home, 'postgres/data'))).uid).toBe(NOBODY)
  await owner.end()
})

async function createHome(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-embedded-'))
  await chmod(folder, 0o755)
  folders.push(folder)
  return folder
}

async function start(home: string): Promise<Embedded> {
  await mkdir(home, { recursive: true })
  const server = await startEmbedded({ home })
  opened.push(server)
  return server
}

async function startProcess(home: string, options: object = {}) {
  const program = join(import.meta.dirname, 'embedded-process.ts')
  const stdio = ['pipe', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, [program, home], { stdio: [...stdio], detached: true, cwd: '/', ...options })
  children.push(child)
  const [line] = (await once(child.stdout as NonNullable<typeof child.stdout>, 'data')) as [Buffer]
  const end = async () => {
    child.stdin?.end()
    expect(await once(child, 'exit')).toEqual([0, null])
  }
  return { child, url: line.toString().trim(), end }
}

function serverOf(embedded: Embedded) {
  const server = findPostmaster(embedded.data)
  if (!server) throw new Error(`no server on ${embedded.data}`)
  return server
}

async function run(url: string, statement: string): Promise<object[]> {
  const sql = connect(url, { max: 1 })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
  }
}
