import { execFile } from 'node:child_process'
import { chmod, chown, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { canEnter, openPassableFolder } from '../../src/store/embedded/place.ts'
import { startEmbedded } from '../../src/store/embedded/start-embedded.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { canBeNobody, isRoot, NOBODY, run, serverOf, setup } from './embedded-setup.ts'

test.runIf(isRoot)('as root, runs the server as another user', async () => {
  await using t = await setup()
  const server = await t.start()
  const { uid } = await stat(server.data)
  expect(uid).toBeGreaterThan(0)
  const { stdout } = await promisify(execFile)('ps', ['-o', 'uid=', '-p', `${serverOf(server).pid}`])
  expect(Number(stdout)).toBe(uid)
})

test.runIf(isRoot)('as root in a 0700 home, keeps the data where the server can reach it and says where', async () => {
  await using t = await setup()
  await chmod(t.home, 0o700)
  const first = await t.start()
  expect(first.data.startsWith(t.home)).toBe(false)
  expect(await readFile(join(t.home, 'postgres/DATA-IS-ELSEWHERE.txt'), 'utf8')).toContain(`${dirname(first.data)}\n`)
  await run(first.url, 'create table public.kept as select 1 as one')
  await first.release()
  const second = await t.start()
  expect(await run(second.url, 'select * from public.kept')).toEqual([{ one: 1 }])
  await second.release()
  await rm(dirname(first.data), { recursive: true })
  await expect(startEmbedded({ home: t.home })).rejects.toThrow(/which is not there/)
})

test.runIf(canBeNobody)('an ordinary user runs the server as itself', async () => {
  await using t = await setup()
  await chown(t.home, NOBODY.uid, NOBODY.gid)
  await chmod(t.home, 0o700)
  const owner = await t.startProcess(NOBODY)
  expect(await run(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await stat(join(t.home, 'postgres/data'))).uid).toBe(NOBODY.uid)
  await owner.end()
})

test('a folder can be entered only when every folder above it lets that user pass', async () => {
  const folder = await temporaryFolder()
  expect(await canEnter({ uid: 1, gid: 1 }, folder)).toBe(true)
  expect(await canEnter({}, folder)).toBe(true)
  await chmod(folder, 0o700)
  expect(await canEnter({ uid: 1, gid: 1 }, folder)).toBe(false)
  const { uid, gid } = await stat(folder)
  expect(await canEnter({ uid, gid }, folder)).toBe(true)
})

test.runIf(isRoot)('a passable folder that somebody else made or can write is not used', async () => {
  const [planted, open, good] = await Promise.all([temporaryFolder(), temporaryFolder(), temporaryFolder()])
  await chown(await openPassableFolder([planted]), NOBODY.uid, NOBODY.gid)
  await chmod(await openPassableFolder([open]), 0o777)
  expect(await openPassableFolder([planted, open, good])).toBe(join(good, 'vigia'))
  await expect(openPassableFolder([planted, open])).rejects.toThrow(/tried .* and .*[\s\S]*DATABASE_URL/)
})
