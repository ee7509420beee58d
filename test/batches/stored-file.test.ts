import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sliceText } from '../../src/batches/sliced-text.ts'
import { readRowTexts, readStoredFile, storeFile } from '../../src/batches/stored-file.ts'
import { detectDialect } from '../../src/files/csv/detect-dialect.ts'
import { encodeInto } from '../../src/files/csv/encoding.ts'
import { openCsv } from '../../src/files/csv/read.ts'
import { splitRecord } from '../../src/files/csv/split-record.ts'
import { collect, inPieces, joined } from '../files/csv/bytes.ts'
import { dialectMatrix } from '../files/csv/fixture-matrix.ts'
import { openDatabase } from '../support/database.ts'

let t: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  t = await openDatabase({ max: 2 })
})
afterAll(() => t[Symbol.asyncDispose]())

test.each([0, 1, 16_384, 1_048_576, 3_500_000])('%i bytes come back as they were stored', async (size) => {
  const bytes = Buffer.concat([randomBytes(size / 2), Buffer.alloc(Math.ceil(size / 2), 'cpf;')])
  const { id } = await storeFile(t.sql, inPieces(bytes, 65_536))
  expect((await joined(readStoredFile(t.sql, id))).equals(bytes)).toBe(true)
})

test('reading a missing part fails, and a reader that stops early holds nothing', async () => {
  const { id } = await storeFile(t.sql, inPieces(randomBytes(3_000_000), 65_536))
  for await (const _ of readStoredFile(t.sql, id)) break

  const readAs = readStoredFile(t.sql, id)
  await readAs.next()
  await t.sql`delete from vigia.file_part where file_id = ${id} and part > 0`
  await expect(joined(readAs)).rejects.toThrow(`Part 1 of the stored file ${id} is gone`)
})

/** The rows of a file, last first: read at their places, and read from the beginning. */
const readBoth = async (bytes: Buffer) => {
  const pieces = () => inPieces(bytes, 60_000)
  const { id } = await storeFile(t.sql, pieces())
  const dialect = await detectDialect(pieces())
  const csv = await openCsv(pieces(), dialect)
  const wanted = (await collect(csv.records)).flat().reverse()
  const texts = await readRowTexts(t.sql, id, dialect, wanted)
  const found = texts.map((text) => splitRecord(text, dialect))
  return { found, wanted: wanted.map(({ cells }) => cells), id, dialect }
}

test('a row is found where it stands in every encoding, separator and line ending that Vigia reads', async () => {
  const matrix = dialectMatrix()
  expect(matrix.length).toBeGreaterThan(60)
  for (const { name, bytes } of matrix) {
    const { found, wanted } = await readBoth(bytes)
    expect(found, name).toEqual(wanted)
  }
})

test.each(['utf-8', 'windows-1252', 'utf-16le'] as const)(
  'rows of a %s file of several parts are found, characters across two parts too',
  async (encoding) => {
    const lines = Array.from({ length: 12_000 }, (_, i) => `Conceição ${i};${i};"São Tomé; ${'é'.repeat(i % 170)}"`)
    const bytes = encodeInto(encoding).encode(`nome;documento;obs\n${lines.join('\n')}\n`)
    const label = encoding === 'utf-16le' ? Buffer.from([0xff, 0xfe]) : Buffer.alloc(0)
    const { found, wanted, id, dialect } = await readBoth(Buffer.concat([label, bytes]))
    expect(dialect.encoding).toBe(encoding)
    // Node compares this many cells in a tenth of the time; if they differ, vitest shows how.
    if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted)
    const [parts] = await t.sql`select count(*)::int as count from vigia.file_part where file_id = ${id}`
    expect(parts!.count).toBeGreaterThan(1)
  },
)

const pieceSize = 16 * 1024
const pieces = 200

/** Every eight characters contain their own position. */
const textAt = (at: number): string => String(at).padStart(8, '0')

async function* longText(): AsyncGenerator<Buffer> {
  for (let from = 0; from < pieces * pieceSize; from += pieceSize) {
    yield Buffer.from(Array.from({ length: pieceSize / 8 }, (_, text) => textAt(from + text * 8)).join(''))
  }
}

test('what lies between two slices is skipped and not buffered, however much it is', async () => {
  const text = sliceText(longText())
  const end = pieces * pieceSize
  // Next to each other, across two pieces, far away, and at the very end.
  const places = [8, 24, 3 * pieceSize - 8, 150 * pieceSize, 151 * pieceSize - 8, end - 16]
  let largest = 0
  for (const at of places) {
    const found = text.slice(at, at + 16) ?? (await text.reach(at, at + 16))
    expect(found.toString()).toBe(textAt(at) + textAt(at + 8))
    largest = Math.max(largest, found.buffer.byteLength)
  }
  expect(largest).toBeLessThanOrEqual(4 * pieceSize)
  await expect(text.reach(end, end + 8)).rejects.toThrow('shorter than its rows')
  await text.close()
})
