import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { call } from './call.ts'

test('the sandbox runs until it is stopped, and prints its address', async () => {
  const stopping = new AbortController()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const running = main(['sandbox', '--port', '0', '--json'], { env: {}, stdout, stderr, signal: stopping.signal })
  const { url, accounts } = JSON.parse(String(await new Promise((shown) => stdout.once('data', shown))))
  expect(accounts[0]).toHaveProperty('organizationId')
  expect((await fetch(`${url}/sandbox/ledger`)).status).toBe(200)

  stopping.abort()

  expect(await running).toBe(0)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('a port in use is named, with the alternatives', async () => {
  await using other = await startSandbox()
  const { port } = new URL(other.url)
  const { exitCode, stderr } = await call(['sandbox', '--port', port])
  expect(exitCode).toBe(1)
  expect(stderr).toBe(`error: port ${port} is in use; choose another with --port, or --port 0 for a free one\n`)
})

test.each([
  [['--port', 'abc'], '--port takes a whole number, from 0 to 65535, not "abc"'],
  [['--scenario', 'nowhere.json'], 'nowhere.json is '],
  [['--ready-after', 'soon'], '--ready-after: "soon" is no duration'],
])('%j is refused with what it takes', async (args, message) => {
  const { exitCode, stderr } = await call(['sandbox', ...args])
  expect(exitCode).toBe(2)
  expect(stderr).toContain(message)
})
