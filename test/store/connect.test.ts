import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect, type Database, hasOwnSession, type Sql } from '../../src/store/connect.ts'
import { type Cell, copyIn, readCopy } from '../../src/store/copy.ts'
import { inPages } from '../../src/store/rows.ts'
import { readVacuumHolder } from '../../src/store/server-state.ts'
import { startCutProxy } from '../chaos/cut-proxy.ts'
import { openDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { done, playServer, silence } from './played-server.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let sql: Database
beforeAll(async () => {
  database = await openDatabase()
  sql = database.sql
})
afterAll(() => database[Symbol.asyncDispose]())

test('reads and writes 64-bit numbers as bigint, alone and in arrays, in and out of a transaction', async () => {
  const big = 9_007_199_254_740_993n
  const echo = (sql: Sql) =>
    sql`select ${big}::bigint as one, ${[big, 1n]}::bigint[] as many, ${big}::bigint = any(${[big]}) as found`
  const expected = { one: big, many: [big, 1n], found: true }
  expect((await echo(sql))[0]).toEqual(expected)
  expect((await sql.begin((tx) => echo(tx)))[0]).toEqual(expected)
  expect((await sql.begin((tx) => tx.savepoint((inner) => echo(inner))))[0]).toEqual(expected)
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
  const folder = await temporaryFolder()
  const { server } = await playServer(undefined, join(folder, '.s.PGSQL.5433'))
  const sql = connect(`postgres://vigia@${encodeURIComponent(folder)}:5433/vigia?sslmode=require`, { max: 1 })
  expect(await sql`select 1`.simple()).toHaveLength(0)
  await sql.end()
  server.close()
})

test('names the columns of a result in camelCase, however it is asked for, and leaves JSON and COPY as they are', async () => {
  const value = { file_id: 1 }
  const row = { batchId: 1, alreadyThere: 2, fileJson: value, '?column?': 3 }
  const query = sql`select 1 as batch_id, 2 as "alreadyThere", ${sql.json(value)}::jsonb as file_json, 3`
  const text = `select 1 as batch_id, 2 as "alreadyThere", '{"file_id": 1}'::jsonb as file_json, 3`
  expect([...(await query)]).toEqual([row])
  for (const prepare of [true, true, false]) expect([...(await sql.unsafe(text, [], { prepare }))]).toEqual([row])
  expect([...(await sql.unsafe(text).simple())]).toEqual([row])
  for await (const rows of sql.unsafe(text).cursor(1)) expect([...rows]).toEqual([row])
  const paged = sql.begin(async (tx) => {
    for await (const page of inPages(tx, tx`select 1 as batch_id`)) return [...page]
  })
  expect(await paged).toEqual([{ batchId: 1 }])
  const copied: Buffer[] = []
  for await (const bytes of readCopy(sql, `copy (${text}) to stdout (format csv, header)`)) copied.push(bytes)
  expect(Buffer.concat(copied).toString()).toBe('batch_id,alreadyThere,file_json,?column?\n1,2,"{""file_id"": 1}",3\n')
})

test('takes arrays of dates and booleans, empty arrays and fragments', async () => {
  const day = new Date('2026-03-01T12:00:00Z')
  const none: bigint[] = []
  const condition = sql`5::bigint = any(${[5n]})`
  const [row] = await sql`
    select ${[day]}::timestamptz[] as days, ${[true, false]}::boolean[] as flags, ${none}::bigint[] as none,
           ${condition} as fragment, 2 in ${sql([1, 2])} as listed`
  expect(row).toEqual({ days: [day], flags: [true, false], none: [], fragment: true, listed: true })
})

test('reads a NULL in an array of any type as null, and the text NULL as a text', async () => {
  const [row] = await sql`
    select '{1,NULL,3}'::bigint[] as bigints, '{NULL,2}'::integer[] as integers, '{1,NULL}'::smallint[] as smallints,
           array['NULL', null, 'a,b', ''] as texts, '{NULL}'::text[] as only_null, '{1.50,NULL}'::numeric[] as numerics,
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
})

test('asks the server for nothing at the start that a pool would refuse, and finds no table without its schema', async () => {
  const found = (sql: Sql) => sql<{ bare: unknown; complete: unknown }[]>`
    select to_regclass('migration') as bare, to_regclass('vigia.migration')::text as complete`
  const expected = [{ bare: null, complete: 'vigia.migration' }]
  expect([...(await found(sql))]).toEqual(expected)
  expect([...(await sql.begin((tx) => found(tx)))]).toEqual(expected)
})

test('a COPY that the server refuses at its end fails, and undoes no more than its savepoint', async () => {
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
})

const hostileText = fc
  .array(fc.constantFrom('\t', '\n', '\r', '\\', '\\.', '\\N', '\0', 'a', 'é', '"', ','), { maxLength: 12 })
  .map((parts) => parts.join(''))

property.prop([fc.array(fc.tuple(fc.option(hostileText), fc.bigInt({ min: 0n, max: 9n ** 18n })), { maxLength: 8 })], {
  numRuns: 40,
})('whatever a cell holds comes out of COPY as it went in, but for NUL', async (rows) => {
  const read = await sql.begin(async (tx) => {
    await tx`create temporary table hostile (place int, cell text, number bigint) on commit drop`
    const cells = rows.map(([cell, number], place): Cell[] => [place, cell, number])
    await copyIn(tx`copy hostile from stdin`, cells)
    return tx<{ cell: string | null; number: bigint }[]>`select cell, number from hostile order by place`
  })
  expect(read.map(({ cell, number }) => [cell, number])).toEqual(
    rows.map(([cell, number]) => [cell?.replaceAll('\0', '') ?? null, number]),
  )
})

test('nothing of a transaction happens after its connection is gone', async () => {
  const pool = connect(database.url, { hasSession: await hasOwnSession(database.url) })
  const cut = Promise.withResolvers<void>()
  const wentOn = Promise.withResolvers<unknown>()
  const begun = pool.begin(async (tx) => {
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await sql`select pg_terminate_backend(${own!.pid})`
    await cut.promise
    await tx`insert into vigia.audit (who, what, subject) values ('x', 'stray', 'x')`.then(
      wentOn.resolve,
      wentOn.resolve,
    )
  })
  await expect(begun).rejects.toThrow()
  cut.resolve()

  expect(await wentOn.promise).toBeInstanceOf(Error)
  expect(await sql`select id from vigia.audit where what = 'stray'`).toHaveLength(0)
  await pool.end({ timeout: 1 })
})

test('the session whose transaction keeps old rows is named with its age, once it is old enough to matter', async () => {
  const reporting = connect(database.url, { max: 1, name: 'reporting tool', hasSession: true })
  onTestFinished(() => reporting.end())
  const anyAge = { seconds: 0, transactions: 0 }

  await reporting.begin('isolation level repeatable read', async (tx) => {
    await tx`select from vigia.lookup`
    await sql`insert into vigia.spending_day (day, units) values ('2026-01-01', 1)`
    await sql`update vigia.spending_day set units = 2`

    expect(await readVacuumHolder(sql)).toBeNull()
    expect(await readVacuumHolder(sql, anyAge)).toMatchObject({
      what: 'session',
      name: expect.stringMatching(/^reporting tool \(\S+, pid \d+\)$/),
      transactions: expect.any(Number),
      seconds: expect.any(Number),
    })
  })
  expect((await readVacuumHolder(sql, anyAge))?.name ?? '').not.toContain('reporting tool')
})

test.each([
  { hasSession: true, how: 'with a session of their own' },
  { hasSession: false, how: 'without one' },
])(
  'connections $how, cut under transactions, fail those and nothing else, and the pool keeps working',
  async ({ hasSession }) => {
    let calls = 0
    let calm = false
    await using proxy = await startCutProxy(() => {
      if (calm || ++calls % 7 > 0) return 'pass'
      return calls % 2 ? 'cutBefore' : 'cutAfter'
    })
    const pool = connect(await proxy.through(database.url), { max: 4, hasSession })
    const transaction = () =>
      pool.begin(async (tx) => {
        await tx`select 1`
        await tx`select 2`
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 120 }, transaction))
    calm = true

    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
    expect(proxy.cuts).toBeGreaterThan(10)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => pool`select 3 as three`.catch(() => pool`select 3 as three`)),
    )
    expect(answers.flat()).toEqual(Array.from({ length: 20 }, () => ({ three: 3 })))
    await pool.end({ timeout: 1 })
  },
  20_000,
)
