import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const vigia = join(root, 'src/cli/vigia.js')
const folder = mkdtempSync(join(tmpdir(), 'vigia cli '))
afterAll(() => rmSync(folder, { recursive: true }))

/** A Node of the machine itself, older than ours; not every machine has one. */
const older = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => existsSync(node) && majorOf(node) < 24)

test('the program runs from any folder and ends with the exit code of its command', () => {
  const { status, stderr } = spawnSync(process.execPath, [vigia, 'nothing'], { cwd: folder, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining("error: unknown command 'nothing'\n"),
  })
})

test('a reader that closes the pipe is not a failure', () => {
  const command = `"${process.execPath}" "${vigia}" --help; echo "ended $?" >&2`
  const { stderr } = spawnSync('sh', ['-c', `{ ${command}; } | true`], { encoding: 'utf8' })
  expect(stderr).toBe('ended 0\n')
})

test.each([process.execPath, ...(older ? [older] : [])])(
  'a command runs on Node 24, and SIGTERM stops it (%s)',
  async (node) => {
    const running = spawn(node, [vigia, 'sandbox', '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(running.stdout, 'data')
    running.kill('SIGTERM')
    expect(await once(running, 'exit')).toEqual([0, null])
  },
)

test.skipIf(!older)('an older Node without Node 24 beside it says what to do', () => {
  cpSync(join(root, 'src/cli'), join(folder, 'src/cli'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const { status, stderr } = spawnSync(older!, [join(folder, 'src/cli/vigia.js')], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toMatch(
    /^Vigia needs Node 24 or later, and this is Node .*\nInstall Node 24\. On Linux npm installs it: `npm ci` /,
  )
})

function majorOf(node: string): number {
  return Number.parseInt(spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout, 10)
}
