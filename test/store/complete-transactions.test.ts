import { expect, test } from 'vitest'
import { connect, hasOwnSession } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'

test('nothing of a transaction happens after its connection is gone', async () => {
  const database = await createDatabase()
  const sql = connect(database.url, { hasSession: await hasOwnSession(database.url) })
  const other = connect(database.url)
  const cut = Promise.withResolvers<void>()
  const wentOn = Promise.withResolvers<unknown>()
  const begun = sql.begin(async (tx) => {
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await other`select pg_terminate_backend(${own!.pid})`
    await cut.promise
    await tx`insert into vigia.audit (who, what, subject) values ('x', 'stray', 'x')`.then(
      wentOn.resolve,
      wentOn.resolve,
    )
  })
  await expect(begun).rejects.toThrow()
  cut.resolve()

  expect(await wentOn.promise).toBeInstanceOf(Error)
  expect(await other`select id from vigia.audit where what = 'stray'`).toHaveLength(0)
  await sql.end({ timeout: 1 })
  await other.end()
  await database.drop()
})
