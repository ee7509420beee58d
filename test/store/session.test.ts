import { expect, inject, onTestFinished, test } from 'vitest'
import { connect, hasOwnSession, isNotified } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'

test('a connection straight to the server has a session, keeps statements by name and is notified', async () => {
  const { url } = await open()
  expect(await hasOwnSession(url)).toBe(true)
  expect(await isNotified(url)).toBe(true)
  const sql = connect(url, { max: 1, hasSession: true })
  onTestFinished(() => sql.end({ timeout: 1 }))
  await sql`select ${1}::int as n`
  expect(await sql`select name from pg_prepared_statements where statement like '%::int as n'`).toHaveLength(1)
})

test('before the session is known, no statement is kept by name', async () => {
  const { sql } = await open()
  await sql`select ${1}::int as n`
  expect(await sql`select name from pg_prepared_statements`).toHaveLength(0)
})

test.skipIf(!hasPgBouncer)(
  'through a pool in transaction mode there is no session, and notifications get lost',
  async () => {
    const { url } = await open('transaction')
    expect(await hasOwnSession(url)).toBe(false)
    expect(await isNotified(url)).toBe(false)
  },
)

test.skipIf(!hasPgBouncer)(
  'a pool in session mode delivers notifications; statements stay unnamed all the same',
  async () => {
    const { url } = await open('session')
    expect(await hasOwnSession(url)).toBe(false)
    expect(await isNotified(url)).toBe(true)
  },
)

test.skipIf(!hasPgBouncer)('statements sent at once through a pool are all answered', async () => {
  const { sql } = await open('transaction')
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, n) => (n % 2 === 0 ? sql`select 0 as n` : sql`select ${n}::int as n`)),
  )
  expect(answers.map(([row]) => row!.n)).toEqual(Array.from({ length: 400 }, (_, n) => (n % 2 === 0 ? 0 : n)))
})

const open = async (mode?: 'transaction' | 'session') => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const pool = mode && (await startPgBouncer(inject('databaseUrl'), mode))
  const url = pool ? pool.through(database.url) : database.url
  const sql = connect(url, { max: 4 })
  onTestFinished(async () => {
    await sql.end({ timeout: 1 })
    await pool?.[Symbol.asyncDispose]()
  })
  return { sql, url }
}
