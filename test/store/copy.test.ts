import { fc, test } from '@fast-check/vitest'
import { afterAll, beforeAll, expect } from 'vitest'
import { connect, type Database } from '../../src/store/connect.ts'
import { type Cell, copyIn } from '../../src/store/copy.ts'
import { createDatabase } from '../support/database.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let sql: Database

beforeAll(async () => {
  database = await createDatabase()
  sql = connect(database.url)
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

const hostileText = fc
  .array(fc.constantFrom('\t', '\n', '\r', '\\', '\\.', '\\N', '\0', 'a', 'é', '"', ','), { maxLength: 12 })
  .map((parts) => parts.join(''))

test.prop([fc.array(fc.tuple(fc.option(hostileText), fc.bigInt({ min: 0n, max: 9n ** 18n })), { maxLength: 8 })], {
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
