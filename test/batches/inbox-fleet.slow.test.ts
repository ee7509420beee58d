import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { filesBelow, type InboxSetup, setupInbox } from './inbox-setup.ts'

const dropMany = (t: InboxSetup, count: number, from = 0) =>
  Promise.all(Array.from({ length: count }, (_, i) => t.drop(`file-${from + i}.csv`, `documento\n${cpf(from + i)}\n`)))

const emptied = async (t: InboxSetup, archived: number): Promise<void> => {
  const files = () => Promise.all([t.home.inbox, t.home.processing, t.home.archive].map(filesBelow))
  const isDone = async () => {
    const [left, claimed, done] = await files()
    return left!.length === 0 && claimed!.length === 0 && done!.length === archived
  }
  await until(isDone, 100_000).catch(async (cause) => {
    const [left, claimed, done] = await files()
    throw new Error(`Left in the inbox: ${left}; claimed: ${claimed}; archived: ${done!.length}`, { cause })
  })
}

test('four processes make a thousand batches of a thousand files', async () => {
  await using t = await setupInbox({ watching: false })
  await Promise.all(['one', 'two', 'three', 'four'].map(() => t.spawn()))

  await dropMany(t, 1_000)
  await emptied(t, 1_000)

  const names = (await t.batches()).map(({ fileName }) => fileName)
  expect(names).toHaveLength(1_000)
  expect(new Set(names).size).toBe(1_000)
})

test('workers that are killed in the middle lose no file and take none twice', async () => {
  await using t = await setupInbox({ watching: false })
  await t.spawn()
  await dropMany(t, 300)
  for (const taken of [20, 80, 150, 220]) {
    const victim = await t.spawn()
    await until(async () => (await t.batches()).length >= taken)
    victim.kill('SIGKILL')
  }
  await emptied(t, 300)

  const names = (await t.batches()).map(({ fileName }) => fileName)
  expect(names).toHaveLength(300)
  expect(new Set(names).size).toBe(300)
})

test('a file that is written slowly is taken only when it is complete', async () => {
  await using t = await setupInbox({ watching: false })
  await Promise.all([t.spawn({ SETTLE: '1s' }), t.spawn({ SETTLE: '1s' })])
  const path = join(t.home.inbox, 'slow.csv')
  const lines = ['documento', ...Array.from({ length: 40 }, (_, i) => cpf(i))]

  const file = createWriteStream(path)
  for (const line of lines) {
    await new Promise((resolve) => file.write(`${line}\n`, resolve))
    await pause(50)
  }
  await new Promise((resolve) => file.end(resolve))
  await emptied(t, 1)

  expect(await t.batches()).toHaveLength(1)
  const [stored] = await t.sql<{ size: bigint }[]>`select size from vigia.file`
  expect(stored?.size).toBe(BigInt(Buffer.byteLength(`${lines.join('\n')}\n`)))
})
