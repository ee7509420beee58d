import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readStoredFile, storeFile } from '../../src/batches/stored-file.ts'
import { connect } from '../../src/store/connect.ts'
import { migrate } from '../../src/store/migrate.ts'
import { inPieces, joined } from '../files/csv/bytes.ts'
import { createDatabase } from '../support/database.ts'

const openStore = async () => {
  const database = await createDatabase()
  const sql = connect(database.url, { max: 2 })
  await migrate(sql)
  const close = async () => {
    await sql.end()
    await database.drop()
  }
  return { sql, [Symbol.asyncDispose]: close }
}

test.each([0, 1, 16_384, 1_048_576, 3_500_000])('%i bytes come back as they were stored', async (size) => {
  await using t = await openStore()
  const bytes = Buffer.concat([randomBytes(size / 2), Buffer.alloc(Math.ceil(size / 2), 'cpf;')])
  const { id } = await storeFile(t.sql, inPieces(bytes, 65_536))
  expect((await joined(readStoredFile(t.sql, id))).equals(bytes)).toBe(true)
})

test('reading a missing part fails, and a reader that stops early holds nothing', async () => {
  await using t = await openStore()
  const { id } = await storeFile(t.sql, inPieces(randomBytes(3_000_000), 65_536))
  for await (const _ of readStoredFile(t.sql, id)) break

  const readAs = readStoredFile(t.sql, id)
  await readAs.next()
  await t.sql`delete from vigia.file_part where file_id = ${id} and part > 0`
  await expect(joined(readAs)).rejects.toThrow(`Part 1 of the stored file ${id} is gone`)
})
