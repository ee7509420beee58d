import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createStillness } from '../../src/watchdog/start-watchdog.ts'

const program = resolve(import.meta.dirname, 'watched-process.ts')

const start = (way: string, { stillMs = 1_000, flags = [] as string[] } = {}) => {
  const child = spawn(process.execPath, [...flags, program, way, String(stillMs)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const results = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  const ended = results.then(([[code, signal], stdout, stderr]) => ({ code, signal, stdout, stderr }))
  return { child, ended }
}

test.each(['spinInMicrotasks', 'spinInPlace'])('a blocked process ends, and logs where: %s', async (way) => {
  const { code, signal, stderr } = await start(way).ended
  expect(code ?? signal).toBe('SIGKILL')
  const line = JSON.parse(stderr)
  expect(line).toMatchObject({
    level: 60,
    msg: expect.stringContaining('the event loop is blocked'),
    stillSeconds: 1,
  })
  expect(line.stack[0]).toMatch(new RegExp(`^${way} \\(file:.*watched-process.ts:\\d+:\\d+\\)$`))
})

test('a process that is blocked outside of JavaScript ends too', async () => {
  const { signal, stderr } = await start('waitOutside').ended
  expect(signal).toBe('SIGKILL')
  expect(JSON.parse(stderr)).toMatchObject({ msg: expect.stringContaining('the event loop is blocked') })
})

test('a busy process continues, and one with nothing left to do ends by itself', async () => {
  expect(await start('work', { stillMs: 2_000 }).ended).toEqual({
    code: 0,
    signal: null,
    stdout: 'ready\nworked\n',
    stderr: '',
  })
  expect(await start('leave').ended).toEqual({ code: 0, signal: null, stdout: 'ready\n', stderr: '' })
})

test('a process that was stopped for longer than the limit continues', async () => {
  const { child, ended } = start('work', { stillMs: 2_000 })
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  await new Promise((done) => setTimeout(done, 3_000))
  child.kill('SIGCONT')
  expect(await ended).toMatchObject({ code: 0, stdout: 'ready\nworked\n' })
})

test('a process under a debugger may be blocked', async () => {
  const { child } = start('spinInPlace', { flags: ['--inspect=0'] })
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  const later = new Promise((done) => setTimeout(done, 3_000, 'still there'))
  expect(await Promise.race([exit, later])).toBe('still there')
  child.kill('SIGKILL')
  await exit
})

test('missed observations do not count', () => {
  const stillFor = createStillness(1_000)
  stillFor(7, 0)
  expect(stillFor(7, 1_000)).toBe(1_000)
  expect(stillFor(7, 3_601_000)).toBe(3_000)
  expect(stillFor(8, 3_602_000)).toBe(0)
  expect(stillFor(8, 3_603_500)).toBe(1_500)
})
