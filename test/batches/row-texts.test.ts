import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { readRowTexts, storeFile } from '../../src/batches/stored-file.ts'
import { detectDialect } from '../../src/files/csv/detect-dialect.ts'
import { encodeInto } from '../../src/files/csv/encoding.ts'
import { openCsv } from '../../src/files/csv/read.ts'
import { parseRecord } from '../../src/files/csv/record-parser.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'

const folder = resolve(import.meta.dirname, '../fixtures/csv')
const matrix = readdirSync(folder).filter((name) => /^(utf|windows1252).*\.csv$/.test(name))

const pieces = async function* (bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000)
}

const onDatabase = async (work: (sql: Database) => Promise<void>): Promise<void> => {
  const database = await createDatabase()
  const sql = connect(database.url)
  try {
    await work(sql)
  } finally {
    await sql.end()
    await database.drop()
  }
}

/** The rows of a file, last first: read at their places, and read from the beginning. */
const readBoth = async (sql: Database, bytes: Buffer) => {
  const { id } = await storeFile(sql, pieces(bytes))
  const dialect = await detectDialect(pieces(bytes))
  const csv = await openCsv(pieces(bytes), dialect)
  const wanted: { start: number; end: number; cells: string[] }[] = []
  for await (const records of csv.records) wanted.push(...records)
  wanted.reverse()
  const texts = await readRowTexts(sql, id, dialect, wanted)
  return {
    found: texts.map((text) => parseRecord(text, dialect)),
    wanted: wanted.map(({ cells }) => cells),
    id,
    dialect,
  }
}

test('a row is found where it stands in every encoding, separator and line ending that Vigia reads', async () => {
  await onDatabase(async (sql) => {
    expect(matrix.length).toBeGreaterThan(60)
    for (const name of matrix) {
      const { found, wanted } = await readBoth(sql, readFileSync(join(folder, name)))
      expect(found, name).toEqual(wanted)
    }
  })
})

test.each(['utf-8', 'windows-1252', 'utf-16le'] as const)(
  'rows of a %s file of several parts are found, characters across two parts too',
  async (encoding) => {
    await onDatabase(async (sql) => {
      const lines = Array.from({ length: 12_000 }, (_, i) => `Conceição ${i};${i};"São Tomé; ${'é'.repeat(i % 170)}"`)
      const bytes = encodeInto(encoding).encode(`nome;documento;obs\n${lines.join('\n')}\n`)
      const label = encoding === 'utf-16le' ? Buffer.from([0xff, 0xfe]) : Buffer.alloc(0)
      const { found, wanted, id, dialect } = await readBoth(sql, Buffer.concat([label, bytes]))
      expect(dialect.encoding).toBe(encoding)
      // Node compares this many cells in a tenth of the time; if they differ, vitest shows how.
      if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted)
      const [parts] = await sql`select count(*)::int as count from vigia.file_part where file_id = ${id}`
      expect(parts!.count).toBeGreaterThan(1)
    })
  },
)
