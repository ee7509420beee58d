import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Dialect } from '../files/csv/dialect.ts'
import { byteOrderMarks, decodeText } from '../files/csv/encoding.ts'
import { StrictText } from '../files/csv/strict-text.ts'
import { keepPlaces, partPlaces, readPart } from '../store/batches/files.ts'
import type { Sql } from '../store/connect.ts'
import { SlicedText } from './sliced-text.ts'
import { readStoredFile } from './stored-file.ts'

const decompress = promisify(zstdDecompress)

type Range = { start: number; end: number }

/**
 * The text of some rows of a stored file, in the order in which they were asked for.
 *
 * Only the parts that hold them are read. Where each part begins in the decoded text is computed once and stored.
 */
export const readRowTexts = async (sql: Sql, fileId: bigint, dialect: Dialect, ranges: Range[]): Promise<Buffer[]> => {
  if (ranges.length === 0) return []
  // A character of UTF-16 may span two parts, so decoding has to begin at the first part.
  if (dialect.encoding.startsWith('utf-16')) return readFromStart(sql, fileId, dialect, ranges)
  const starts = await placesOf(sql, fileId, dialect)
  const parts = new Map<number, Promise<Buffer>>()
  const partAt = (at: number) =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= at),
    )
  const textOf = (part: number): Promise<Buffer> => {
    const known = parts.get(part) ?? readText(sql, fileId, dialect, part)
    parts.set(part, known)
    return known
  }
  return Promise.all(
    ranges.map(async ({ start, end }) => {
      const first = partAt(start)
      const last = partAt(Math.max(start, end - 1))
      const texts = await Promise.all([...Array(last - first + 1).keys()].map((i) => textOf(first + i)))
      const from = start - starts[first]!
      const joined = texts.length === 1 ? texts[0]! : Buffer.concat(texts)
      return joined.subarray(from, from + end - start)
    }),
  )
}

const readFromStart = async (sql: Sql, fileId: bigint, dialect: Dialect, ranges: Range[]): Promise<Buffer[]> => {
  const text = new SlicedText(decodeText(readStoredFile(sql, fileId), dialect))
  const found = new Map<Range, Buffer>()
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    found.set(range, Buffer.from(await text.reach(range.start, range.end)))
  }
  await text.close()
  return ranges.map((range) => found.get(range)!)
}

const placesOf = async (sql: Sql, fileId: bigint, dialect: Dialect): Promise<number[]> => {
  const known = await partPlaces(sql, fileId)
  if (known.every(({ textAt }) => textAt !== null)) return known.map(({ textAt }) => Number(textAt))
  const starts: number[] = []
  let at = 0
  for (const { part } of known) {
    starts.push(at)
    at += (await readText(sql, fileId, dialect, part)).length
  }
  await keepPlaces(sql, fileId, starts)
  return starts
}

/** UTF-8 is used as it is. A part of it may begin within a character, and then so does its text. */
const readText = async (sql: Sql, fileId: bigint, dialect: Dialect, part: number): Promise<Buffer> => {
  const bytes = await decompress(await readPart(sql, fileId, part))
  const own = part === 0 && dialect.bom ? bytes.subarray(byteOrderMarks[dialect.encoding].length) : bytes
  if (dialect.encoding === 'utf-8') return own
  return new StrictText(dialect.encoding).push(own)
}
