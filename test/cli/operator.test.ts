import { afterAll, expect, test } from 'vitest'
import { accounts } from '../../src/sandbox/tokens.ts'
import { findOperatorByToken, hashSecret } from '../../src/store/people/operators.ts'
import { openDatabase } from '../support/database.ts'
import { call } from './call.ts'

const t = await openDatabase({ max: 1 })
afterAll(() => t[Symbol.asyncDispose]())
const vigia = (...args: string[]) => call(['operator', ...args, '--json'], { DATABASE_URL: t.url })
const holderAt = (token: string, now: number) => findOperatorByToken(t.sql, hashSecret(token), new Date(now))

test('an operator is added with a token shown once, listed without it, and removed', async () => {
  const { token, ...added } = JSON.parse((await vigia('add', 'ana', '--role', 'ops')).stdout)
  expect(added).toEqual({ name: 'ana', role: 'ops', organizations: null, expires: null })
  expect(await holderAt(token, Date.now())).toEqual({ name: 'ana', role: 'ops', organizations: null })
  expect(JSON.stringify(await t.sql`select * from vigia.operator`)).not.toContain(token)

  const { stdout } = await vigia('list')
  expect(JSON.parse(stdout).operators).toEqual(expect.arrayContaining([expect.objectContaining(added)]))
  expect(stdout).not.toContain(token)
  expect((await vigia('add', 'ana', '--role', 'admin')).exitCode).toBe(1)
  expect((await vigia('remove', 'ana')).exitCode).toBe(0)
  expect(await holderAt(token, Date.now())).toBeNull()
  expect((await vigia('remove', 'ana')).exitCode).toBe(1)
})

test('an operator is bound to organizations of the settings, and a token expires', async () => {
  const organizations = accounts.map(({ organizationId }) => organizationId)
  const bound = organizations.flatMap((each) => ['--organization', String(each)])
  const { token, ...added } = JSON.parse(
    (await vigia('add', 'carla', '--role', 'ops', ...bound, '--expires', '90d')).stdout,
  )
  expect(added).toEqual({ name: 'carla', role: 'ops', organizations, expires: expect.any(String) })
  const end = Date.parse(added.expires)
  expect(Math.round((end - Date.now()) / 86_400_000)).toBe(90)
  expect(await holderAt(token, end - 1)).toEqual({
    name: 'carla',
    role: 'ops',
    organizations: organizations.map(BigInt),
  })
  expect(await holderAt(token, end)).toBeNull()
})

test.each([
  ['bia', '--role', 'queen'],
  ['bia'],
  ['local', '--role', 'ops'],
  ['bia', '--role', 'ops', '--organization', '1'],
  ['bia', '--role', 'ops', '--organization', 'x'],
  ['bia', '--role', 'ops', '--expires', 'soon'],
])('operator add %s %s %s %s %s is wrong usage', async (...args) => {
  expect((await vigia('add', ...args)).exitCode).toBe(2)
})
