import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect, type Sql } from '../../src/store/connect.ts'
import { copyIn } from '../../src/store/copy.ts'
import { createDatabase } from '../support/database.ts'
import { done, playServer, silence } from './played-server.ts'

test('reads and writes 64-bit numbers as bigint, alone and in arrays, in and out of a transaction', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  const big = 9_007_199_254_740_993n
  const echo = (sql: Sql) =>
    sql`select ${big}::bigint as one, ${[big, 1n]}::bigint[] as many, ${big}::bigint = any(${[big]}) as found`
  const expected = { one: big, many: [big, 1n], found: true }
  expect((await echo(sql))[0]).toEqual(expected)
  expect((await sql.begin((tx) => echo(tx)))[0]).toEqual(expected)
  expect((await sql.begin((tx) => tx.savepoint((inner) => echo(inner))))[0]).toEqual(expected)
  await sql.end()
  await database.drop()
})

test.each([
  { hasSession: true, how: 'with a session of its own gets', sent: ['select 1', 'select 2', 'select 3'] },
  { hasSession: false, how: 'without one gets no', sent: ['select 1'] },
])('a connection $how statements before the last answer', async ({ hasSession, sent }) => {
  const seenAtAnswer: string[][] = []
  const { port, seen } = await playServer((_text, socket) => {
    // What was sent in the same turn is in the same packet.
    setImmediate(() => {
      seenAtAnswer.push(seen.map((text) => text.slice(0, -1)))
      socket.write(done)
    })
    return silence
  })
  const sql = connect(`postgres://vigia@127.0.0.1:${port}/vigia`, { max: 1, hasSession })
  await sql`select 0`.simple()
  await Promise.all([sql.unsafe('select 1'), sql`select 2`.simple(), sql`select 3`.simple()])
  expect(seenAtAnswer[1]).toEqual(['select 0', ...sent])
  await sql.end({ timeout: 1 })
})

test('a server is reached through the socket in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-socket-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { server } = await playServer(undefined, join(folder, '.s.PGSQL.5433'))
  const sql = connect(`postgres://vigia@${encodeURIComponent(folder)}:5433/vigia?sslmode=require`, { max: 1 })
  expect(await sql`select 1`.simple()).toHaveLength(0)
  await sql.end()
  server.close()
})

test('takes arrays of dates and booleans, empty arrays and fragments', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  const day = new Date('2026-03-01T12:00:00Z')
  const none: bigint[] = []
  const condition = sql`5::bigint = any(${[5n]})`
  const [row] = await sql`
    select ${[day]}::timestamptz[] as days, ${[true, false]}::boolean[] as flags, ${none}::bigint[] as none,
           ${condition} as fragment, 2 in ${sql([1, 2])} as listed`
  expect(row).toEqual({ days: [day], flags: [true, false], none: [], fragment: true, listed: true })
  await sql.end()
  await database.drop()
})

test('reads a NULL in an array of any type as null, and the text NULL as a text', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  const [row] = await sql`
    select '{1,NULL,3}'::bigint[] as bigints, '{NULL,2}'::integer[] as integers, '{1,NULL}'::smallint[] as smallints,
           array['NULL', null, 'a,b', ''] as texts, '{NULL}'::text[] as "onlyNull", '{1.50,NULL}'::numeric[] as numerics,
           '{t,NULL}'::boolean[] as flags, '{NULL,2026-03-01T12:00:00Z}'::timestamptz[] as moments,
           '{{1,NULL},{NULL,4}}'::bigint[] as nested, '{}'::bigint[] as none, null::bigint[] as missing`
  expect(row).toEqual({
    bigints: [1n, null, 3n],
    integers: [null, 2],
    smallints: [1, null],
    texts: ['NULL', null, 'a,b', ''],
    onlyNull: [null],
    numerics: ['1.50', null],
    flags: [true, null],
    moments: [null, new Date('2026-03-01T12:00:00Z')],
    nested: [
      [1n, null],
      [null, 4n],
    ],
    none: [],
    missing: null,
  })
  await sql.end()
  await database.drop()
})

test('asks the server for nothing at the start that a pool would refuse, and finds no table without its schema', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  const found = (sql: Sql) => sql<{ bare: unknown; complete: unknown }[]>`
    select to_regclass('migration') as bare, to_regclass('vigia.migration')::text as complete`
  const expected = [{ bare: null, complete: 'vigia.migration' }]
  expect([...(await found(sql))]).toEqual(expected)
  expect([...(await sql.begin((tx) => found(tx)))]).toEqual(expected)
  await sql.end()
  await database.drop()
})

test('a COPY that the server refuses at its end fails, and undoes no more than its savepoint', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  const kept = await sql.begin(async (tx) => {
    await tx`create temporary table one (n int unique) on commit drop`
    const copy = (...numbers: number[]) =>
      tx.savepoint((part) =>
        copyIn(
          part`copy one from stdin`,
          numbers.map((n) => [n]),
        ),
      )
    await copy(1, 2)
    await expect(copy(3, 2)).rejects.toMatchObject({ code: '23505' })
    return tx<{ n: number }[]>`select n from one order by n`
  })
  expect(kept.map(({ n }) => n)).toEqual([1, 2])
  await sql.end()
  await database.drop()
})
