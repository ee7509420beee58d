import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '../../src/store/connect.ts'
import { findSession, isNotified } from '../../src/store/session.ts'
import { createDatabase } from '../support/database.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'

test('a connection straight to the server has a session, keeps statements by name and is notified', async () => {
  const { sql, url } = await open()
  expect(await findSession(sql)).toBe(true)
  expect(sql.options.prepare).toBe(true)
  expect(await isNotified(sql, url)).toBe(true)
  await sql`select ${1}::int as n`
  expect(await sql`select name from pg_prepared_statements where statement like '%as n%'`).toHaveLength(1)
})

test('before anything is found out, no statement is kept by name', async () => {
  const { sql } = await open()
  await sql`select ${1}::int as n`
  expect(await sql`select name from pg_prepared_statements`).toHaveLength(0)
})

test.skipIf(!hasPgBouncer)(
  'through a pool in transaction mode there is no session, and notifications get lost',
  async () => {
    const { sql, url } = await open('transaction')
    expect(await findSession(sql)).toBe(false)
    expect(sql.options.prepare).toBe(false)
    expect(await isNotified(sql, url)).toBe(false)
  },
)

test.skipIf(!hasPgBouncer)(
  'a pool in session mode delivers notifications; statements stay unnamed all the same',
  async () => {
    const { sql, url } = await open('session')
    expect(await findSession(sql)).toBe(false)
    expect(sql.options.prepare).toBe(false)
    expect(await isNotified(sql, url)).toBe(true)
  },
)

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
