import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accounts, credentials } from '../../src/sandbox/tokens.ts'
import type { WorldPatch } from '../../src/sandbox/world.ts'
import { startSandboxProcess } from '../chaos/sandbox-process.ts'
import { hasTwin } from '../chaos/worlds/twin-world.ts'
import { callsTo, cpf, cpfs } from './ask.ts'

/** A registry that sold these documents one after the other, and the first `again` of them once more. */
const selling = async (count: number, list: NonNullable<WorldPatch['list']>, again = 0) => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-twin-'))
  const sandbox = await startSandboxProcess({ seed: 1, journal: join(folder, 'journal'), readyAfterMs: 0 })
  const scenario = { world: { list } }
  await sandbox.set(scenario)
  const { generate, activities } = callsTo(sandbox.url, { account: accounts[0], token: credentials.token })
  const before = new Date()
  for (const document of [...cpfs(count), ...cpfs(again)]) await generate(document)
  const isHidden = (document: string, sendingAt = before) => hasTwin(sandbox, { scenario }, { document, sendingAt })
  const end = async () => {
    await sandbox[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
  return { isHidden, activities, [Symbol.asyncDispose]: end }
}

test.each([
  ['items', 10, 0, { figures: 'null' }],
  ['items, as its limit repeats', 10, 0, { figures: 'length' }],
  ['purchases', 9, 1, { figures: 'null' }],
  ['purchases, as its limit says', 9, 1, { page: 10, of: 'analyses' }],
] as const)('a call is hidden by the length of a list of ten %s', async (_, count, again, list) => {
  await using t = await selling(count, list, again)
  const shown = (await t.activities()).text
  expect(await t.isHidden(cpf(99))).toBe(true)
  expect((await t.activities()).text).toBe(shown)
})

test.each([
  ['is no page', 11, { figures: 'null' }],
  ['names a higher limit', 10, { page: 50 }],
] as const)('nothing is hidden by the length of a list that %s', async (_, count, list) => {
  await using t = await selling(count, list)
  expect(await t.isHidden(cpf(99))).toBe(false)
})

test('a page of items that shows the document would show the call', async () => {
  await using t = await selling(10, { figures: 'null' }, 1)
  expect(await t.isHidden(cpf(5))).toBe(false)
})

test('a purchase that would not be listed yet is not hidden by the length of the list', async () => {
  await using t = await selling(10, { figures: 'null' })
  expect(await t.isHidden(cpf(99), new Date(Date.now() + 60_000))).toBe(false)
})
