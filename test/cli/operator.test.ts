import { expect, test } from 'vitest'
import { connect } from '../../src/store/connect.ts'
import { findOperatorByToken } from '../../src/store/people/operators.ts'
import { hashSecret } from '../../src/web/access/visitor.ts'
import { createDatabase } from '../support/database.ts'
import { call } from './call.ts'

test('an operator is added with a token shown once, listed without it, and removed', async () => {
  const database = await createDatabase()
  await using stack = new AsyncDisposableStack()
  stack.defer(() => database.drop())
  const sql = connect(database.url, { max: 1 })
  stack.defer(() => sql.end())
  const vigia = (...words: string[]) => call(['operator', ...words, '--json'], { DATABASE_URL: database.url })

  const { token, ...added } = JSON.parse((await vigia('add', 'ana', '--role', 'ops')).stdout)
  expect(added).toEqual({ name: 'ana', role: 'ops' })
  expect(await findOperatorByToken(sql, hashSecret(token))).toEqual({ name: 'ana', role: 'ops' })
  expect(JSON.stringify(await sql`select * from vigia.operator`)).not.toContain(token)

  const { stdout } = await vigia('list')
  expect(JSON.parse(stdout)).toMatchObject({ operators: [{ name: 'ana', role: 'ops' }] })
  expect(stdout).not.toContain(token)
  expect((await vigia('add', 'ana', '--role', 'admin')).exitCode).toBe(1)
  expect((await vigia('add', 'bia', '--role', 'queen')).exitCode).toBe(2)
  expect((await vigia('add', 'local', '--role', 'ops')).exitCode).toBe(2)
  expect((await vigia('add', 'bia')).exitCode).toBe(2)

  expect((await vigia('remove', 'ana')).exitCode).toBe(0)
  expect(await findOperatorByToken(sql, hashSecret(token))).toBeNull()
  expect((await vigia('remove', 'ana')).exitCode).toBe(1)
})
