import { test as check, fc } from '@fast-check/vitest'
import { afterAll, beforeAll, expect } from 'vitest'
import { csvText } from '../../../src/files/csv/csv-text.ts'
import { connect, type Database } from '../../../src/store/connect.ts'
import { createDatabase } from '../../support/database.ts'
import { runs } from '../../support/runs.ts'

let sql: Database
let database: Awaited<ReturnType<typeof createDatabase>>
beforeAll(async () => {
  database = await createDatabase()
  sql = connect(database.url)
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

const cells = fc.string({
  unit: fc.constantFrom(...'aç0912 -=+@＝＋－＠"\';,|.\t\r\n\u0001'),
  maxLength: 8,
})
check.prop([cells], runs(100))('a text becomes a cell by the rule of the database', async (text) => {
  const [row] = await sql<{ cell: string }[]>`select vigia.csv_text(${text}) as cell`
  expect(csvText(text)).toBe(row!.cell)
})
