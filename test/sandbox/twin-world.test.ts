import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { accounts, credentials } from '../../src/sandbox/tokens.ts'
import type { WorldPatch } from '../../src/sandbox/world.ts'
import { startSandboxProcess } from '../chaos/sandbox-process.ts'
import { hasTwin } from '../chaos/worlds/twin-world.ts'
import { callsTo, cpf, cpfs } from './ask.ts'

/** A registry that sold to some, one after the other; its list, and the moments before, in the middle and after. */
const selling = async (count: number, list: NonNullable<WorldPatch['list']>) => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-twin-'))
  const sandbox = await startSandboxProcess({ seed: 1, journal: join(folder, 'journal'), readyAfterMs: 0 })
  const scenario = { world: { list } }
  await sandbox.set(scenario)
  const { generate, activities } = callsTo(sandbox.url, { account: accounts[0], token: credentials.token })
  const before = new Date()
  let middle = before
  for (const [n, document] of cpfs(count).entries()) {
    await pause(2)
    if (n === 5) middle = new Date()
    await pause(2)
    await generate(document)
  }
  await pause(2)
  const isHidden = (sendingAt: Date, takesMs = 0) =>
    hasTwin(sandbox, { scenario }, { document: cpf(99), sendingAt }, takesMs)
  const end = async () => {
    await sandbox[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
  return { isHidden, activities, before, middle, after: new Date(), [Symbol.asyncDispose]: end }
}

test.each(['null', 'length'] as const)(
  'a call before or after all that a list shows is hidden by its length, where its limit is %s',
  async (figures) => {
    await using t = await selling(10, { figures })
    const shown = (await t.activities()).text
    expect([await t.isHidden(t.before), await t.isHidden(t.after)]).toEqual([true, true])
    expect((await t.activities()).text).toBe(shown)
  },
)

test('a call between two that the list shows is not', async () => {
  await using t = await selling(10, { figures: 'null' })
  expect(await t.isHidden(t.middle)).toBe(false)
})

test('it may be, where they need not have been worked in the order in which they were sent', async () => {
  await using t = await selling(10, { figures: 'null' })
  expect(await t.isHidden(t.middle, 10_000)).toBe(true)
})

test.each([
  ['is no page', 11, { figures: 'null' }],
  ['names a higher limit', 10, { page: 50 }],
] as const)('nothing is hidden by the length of a list that %s', async (_, count, list) => {
  await using t = await selling(count, list)
  expect([await t.isHidden(t.before), await t.isHidden(t.after)]).toEqual([false, false])
})
