import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { joinHolders } from '../../src/home/holders.ts'
import { identifyProcess } from '../../src/home/process-identity.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('only the last holder that leaves closes', async () => {
  const folder = await temporaryFolder()
  const closed: string[] = []
  const [one, two] = [await joinHolders(folder), await joinHolders(folder)]
  expect(await one.release(async () => void closed.push('one'))).toBe('others')
  expect(await two.release(async () => void closed.push('two'))).toBe('last')
  expect(closed).toEqual(['two'])
})

test('nobody opens while the last one is closing', async () => {
  const folder = await temporaryFolder()
  const events: string[] = []
  const first = await joinHolders(folder)
  let second: Promise<unknown> | undefined
  await first.release(async () => {
    second = joinHolders(folder, async () => void events.push('opened'))
    // Longer than an undisturbed join takes: a try reads and writes the folder some six times.
    for (let looks = 0; looks < 100; looks++) await readdir(folder)
    events.push('closed')
  })
  await second
  expect(events).toEqual(['closed', 'opened'])
})

test('a holder that failed to open does not hold', async () => {
  const folder = await temporaryFolder()
  await expect(joinHolders(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const other = await joinHolders(folder)
  expect(await other.release()).toBe('last')
})

test('a holder that died does not count, even when its number is in use again', async () => {
  const folder = await temporaryFolder()
  const mine = await joinHolders(folder)
  const child = spawn(process.execPath, ['-e', ''])
  const dead = identifyProcess(child.pid as number) ?? ''
  await once(child, 'exit')
  await writeFile(join(folder, 'holder.dead'), dead)
  await writeFile(join(folder, 'holder.reused'), `${process.pid} 1 an-earlier-boot`)
  expect(await mine.release()).toBe('last')
  expect((await readdir(folder)).filter((name) => name.startsWith('holder.'))).toEqual([])
})
