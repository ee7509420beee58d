import { expect, test } from 'vitest'
import { accounts } from '../../src/sandbox/tokens.ts'
import { connect } from '../../src/store/connect.ts'
import { findOperatorByToken, hashSecret } from '../../src/store/people/operators.ts'
import { createDatabase } from '../support/database.ts'
import { call } from './call.ts'

const setupDatabase = async () => {
  const database = await createDatabase()
  const sql = connect(database.url, { max: 1 })
  return {
    sql,
    vigia: (...args: string[]) => call(['operator', ...args, '--json'], { DATABASE_URL: database.url }),
    async [Symbol.asyncDispose]() {
      await sql.end()
      await database.drop()
    },
  }
}

test('an operator is bound to organizations of the settings, and a token expires', async () => {
  await using t = await setupDatabase()
  const { sql, vigia } = t
  const [one, two] = accounts.map(({ organizationId }) => String(organizationId))

  const bound = ['--organization', one!, '--organization', two!]
  const { token, ...added } = JSON.parse(
    (await vigia('add', 'ana', '--role', 'ops', ...bound, '--expires', '90d')).stdout,
  )
  expect(added).toEqual({
    name: 'ana',
    role: 'ops',
    organizations: [Number(one), Number(two)],
    expires: expect.any(String),
  })
  expect(JSON.parse((await vigia('list')).stdout).operators).toMatchObject([added])
  const end = Date.parse(added.expires)
  expect(Math.round((end - Date.now()) / 86_400_000)).toBe(90)
  const holderAt = (now: number) => findOperatorByToken(sql, hashSecret(token), new Date(now))
  expect(await holderAt(end - 1)).toEqual({ name: 'ana', role: 'ops', organizations: [BigInt(one!), BigInt(two!)] })
  expect(await holderAt(end)).toBeNull()

  expect((await vigia('add', 'bia', '--role', 'ops', '--organization', '1')).exitCode).toBe(2)
  expect((await vigia('add', 'bia', '--role', 'ops', '--organization', 'x')).exitCode).toBe(2)
  expect((await vigia('add', 'bia', '--role', 'ops', '--expires', 'soon')).exitCode).toBe(2)
})

test('an operator is added with a token shown once, listed without it, and removed', async () => {
  await using t = await setupDatabase()
  const { sql, vigia } = t

  const { token, ...added } = JSON.parse((await vigia('add', 'ana', '--role', 'ops')).stdout)
  expect(added).toEqual({ name: 'ana', role: 'ops', organizations: null, expires: null })
  const holderOf = (secret: string, now = new Date()) => findOperatorByToken(sql, hashSecret(secret), now)
  expect(await holderOf(token)).toEqual({ name: 'ana', role: 'ops', organizations: null })
  expect(JSON.stringify(await sql`select * from vigia.operator`)).not.toContain(token)

  const { stdout } = await vigia('list')
  expect(JSON.parse(stdout)).toMatchObject({ operators: [{ name: 'ana', role: 'ops' }] })
  expect(stdout).not.toContain(token)
  expect((await vigia('add', 'ana', '--role', 'admin')).exitCode).toBe(1)
  expect((await vigia('add', 'bia', '--role', 'queen')).exitCode).toBe(2)
  expect((await vigia('add', 'local', '--role', 'ops')).exitCode).toBe(2)
  expect((await vigia('add', 'bia')).exitCode).toBe(2)

  expect((await vigia('remove', 'ana')).exitCode).toBe(0)
  expect(await holderOf(token)).toBeNull()
  expect((await vigia('remove', 'ana')).exitCode).toBe(1)
})
