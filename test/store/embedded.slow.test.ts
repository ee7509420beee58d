import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { identifyProcess } from '../../src/home/process-identity.ts'
import { until } from '../support/until.ts'
import { run, serverOf, setup } from './embedded-setup.ts'

/** Differs from one start of a server to the next. */
const whenStarted = 'select pg_postmaster_start_time() as at'

test('keeps what was written from one start to the next', async () => {
  await using t = await setup()
  const first = await t.start()
  await run(first.url, 'create table public.kept as select 42 as answer')
  await first.release()
  const second = await t.start()
  expect(await run(second.url, 'select answer from public.kept')).toEqual([{ answer: 42 }])
  expect(await run(second.url, 'show fsync')).toEqual([{ fsync: 'on' }])
})

test('works in a path with spaces and quotes', async () => {
  await using t = await setup()
  const { url } = await t.start({ home: join(t.home, `a home's "folder" of ours`) })
  expect(await run(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('stops the server when the last process releases it, and leaves no process behind', async () => {
  await using t = await setup()
  const [one, two] = [await t.start(), await t.start()]
  const { pid } = serverOf(one)
  expect(two.url).toBe(one.url)
  await one.release()
  await one.release()
  expect(await run(two.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await two.release()
  expect(identifyProcess(pid)).toBeUndefined()
})

test('shares one server among processes that start at once on a new home', async () => {
  await using t = await setup()
  const started = await Promise.all([1, 2, 3, 4].map(() => t.startProcess()))
  expect(new Set(started.map(({ url }) => url)).size).toBe(1)
  const last = await t.start()
  await Promise.all(started.map(({ end }) => end()))
  expect(await run(last.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('says that the server starts only when it does', async () => {
  await using t = await setup()
  let starts = 0
  const starting = () => starts++
  const one = await t.start({ starting })
  const two = await t.start({ starting })
  expect(starts).toBe(1)
  await one.release()
  await two.release()
  await t.start({ starting })
  expect(starts).toBe(2)
})

test('adopts the server of an owner that was killed', async () => {
  await using t = await setup()
  const owner = await t.startProcess()
  await run(owner.url, 'create table public.kept as select 1 as one')
  const started = await run(owner.url, whenStarted)
  owner.child.kill('SIGKILL')
  await once(owner.child, 'exit')
  const heir = await t.start()
  expect(await run(heir.url, whenStarted)).toEqual(started)
  expect(await run(heir.url, 'select * from public.kept')).toEqual([{ one: 1 }])
  const { pid } = serverOf(heir)
  await heir.release()
  expect(identifyProcess(pid)).toBeUndefined()
})

test('a Ctrl-C in the terminal reaches us and not the server', async () => {
  await using t = await setup()
  const owner = await t.startProcess()
  const started = await run(owner.url, whenStarted)
  process.kill(-(owner.child.pid as number), 'SIGINT')
  await once(owner.child, 'exit')
  expect(await run((await t.start()).url, whenStarted)).toEqual(started)
})

test('starts again after the server was killed, with all that was committed', async () => {
  await using t = await setup()
  const first = await t.start()
  await run(first.url, 'create table public.kept as select 7 as seven')
  const { pid } = serverOf(first)
  process.kill(pid, 'SIGKILL')
  // A busy machine takes its time to end even a process that was killed, and until then it counts as running.
  await until(async () => identifyProcess(pid) === undefined)
  const second = await t.start()
  expect(serverOf(second).pid).not.toBe(pid)
  expect(await run(second.url, 'select * from public.kept')).toEqual([{ seven: 7 }])
})

test('starts although the number in an old postmaster.pid now belongs to another program', async () => {
  await using t = await setup()
  const first = await t.start()
  const note = join(first.data, 'postmaster.pid')
  const text = await readFile(note, 'utf8')
  const { uid, gid } = await stat(first.data)
  await first.release()
  const stranger = spawn('sleep', ['60'], { uid, gid })
  t.adopt(stranger)
  await writeFile(note, text.replace(/^\d+/, `${stranger.pid}`))
  await chown(note, uid, gid)
  const second = await t.start()
  expect(await run(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
})

test('keeps its port, and takes another one when that is taken', async () => {
  await using t = await setup()
  const first = await t.start()
  const { port } = new URL(first.url)
  await first.release()
  const again = await t.start()
  expect(again.url).toBe(first.url)
  await again.release()
  const stranger = createServer().listen(Number(port), '127.0.0.1')
  await once(stranger, 'listening')
  const moved = new URL((await t.start()).url)
  stranger.close()
  expect(moved.port).not.toBe(port)
  expect(await readFile(join(t.home, 'postgres/port'), 'utf8')).toBe(`${moved.port}\n`)
})
