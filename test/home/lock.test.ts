import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withLock } from '../../src/home/holders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('never runs two actions at once, whoever asks', async () => {
  const folder = await temporaryFolder()
  let inside = 0
  const action = async () => {
    expect(++inside).toBe(1)
    await readdir(folder)
    inside--
  }
  await Promise.all(Array.from({ length: 20 }, () => withLock(folder, action)))
})

test('processes that take turns lose no update, though some are killed inside', async () => {
  const folder = await temporaryFolder()
  const counter = join(folder, 'counter')
  await writeFile(counter, '0')
  const counting = Array.from({ length: 4 }, () => startProcess('count', folder))
  const dying = Array.from({ length: 3 }, () => startProcess('die', folder))
  const codes = await Promise.all(counting.map(async (child) => (await once(child, 'exit'))[0]))
  await Promise.all(
    dying.filter(({ exitCode, signalCode }) => !exitCode && !signalCode).map((child) => once(child, 'exit')),
  )
  expect(codes).toEqual([0, 0, 0, 0])
  expect(await readFile(counter, 'utf8')).toBe('100')
})

test('passes on what the action returns and throws, and is free afterwards', async () => {
  const folder = await temporaryFolder()
  expect(await withLock(folder, async () => 7)).toBe(7)
  const failing = withLock(folder, () => Promise.reject(new Error('no luck')))
  await expect(failing).rejects.toThrow('no luck')
  expect(await withLock(folder, async () => 8)).toBe(8)
})

test('leaves one small file behind, however often it was taken', async () => {
  const folder = await temporaryFolder()
  for (let turn = 0; turn < 10; turn++) await withLock(folder, async () => {})
  expect(await readdir(folder)).toHaveLength(1)
})

const startProcess = (role: string, folder: string) => {
  const program = join(import.meta.dirname, 'lock-process.ts')
  return spawn(process.execPath, [program, role, folder], { stdio: ['ignore', 'inherit', 'inherit'] })
}
