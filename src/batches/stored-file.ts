import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { createZstdDecompress, zstdCompress, zstdDecompress } from 'node:zlib'
import type { Dialect } from '../files/csv/dialect.ts'
import { byteOrderMarks, decodeText, StrictText } from '../files/csv/encoding.ts'
import { FileProblem } from '../files/file-problem.ts'
import { identifyProcess } from '../home/process-identity.ts'
import {
  beginFile,
  claimFileRead,
  countParts,
  dropFile,
  dropParts,
  forgetFileReads,
  keepPlaces,
  partPlaces,
  readPart,
  releaseFileRead,
  resealFile,
  type StoredFile,
  sealFile,
  writePart,
} from '../store/batches/files.ts'
import type { Database, Sql } from '../store/connect.ts'
import { sliceText } from './sliced-text.ts'

const compress = promisify(zstdCompress)
const partSize = 1024 * 1024
const pieceSize = 16 * 1024

/** Streams a file into the database in compressed parts, so that every worker of the fleet can read it. */
export const storeFile = async (sql: Sql, source: AsyncIterable<Uint8Array>): Promise<StoredFile> => {
  const id = await beginFile(sql)
  try {
    return await sealFile(sql, id, await writeParts(sql, id, source))
  } catch (error) {
    await dropFile(sql, id)
    throw error
  }
}

/**
 * Replaces the bytes of a stored file, inside a transaction; the source may read the old bytes outside of it. The file
 * no longer counts as the bytes that were dropped, so the same bytes again are another file.
 */
export const rewriteFile = async (tx: Sql, fileId: bigint, source: AsyncIterable<Uint8Array>): Promise<void> => {
  await dropParts(tx, fileId)
  const { sha256, size, parts } = await writeParts(tx, fileId, source)
  await resealFile(tx, fileId, { sha256: `rewritten:${fileId}:${sha256}`, size, parts })
}

const writeParts = async (sql: Sql, id: bigint, source: AsyncIterable<Uint8Array>) => {
  const hash = createHash('sha256')
  let size = 0
  let parts = 0
  for await (const part of inParts(source)) {
    hash.update(part)
    size += part.length
    await writePart(sql, id, parts++, await compress(part))
  }
  return { sha256: hash.digest('hex'), size: BigInt(size), parts }
}

/**
 * Streams a stored file back.
 *
 * Small pieces are garbage-collected early; larger ones, compressed or not, outlive their rows and pile up. Each part
 * has its own decompressor, so that an old piece does not keep all later ones alive.
 */
export async function* readStoredFile(sql: Sql, fileId: bigint): AsyncGenerator<Uint8Array> {
  const parts = await countParts(sql, fileId)
  for (let part = 0; part < parts; part++) {
    const decompressed = createZstdDecompress({ chunkSize: pieceSize })
    pipeline(readPieces(sql, fileId, part), decompressed, () => {})
    yield* decompressed
  }
}

async function* readPieces(sql: Sql, fileId: bigint, part: number): AsyncGenerator<Buffer> {
  for (let from = 0; ; from += pieceSize) {
    const bytes = await readPart(sql, { fileId, part, from, size: pieceSize })
    yield bytes
    if (bytes.length < pieceSize) return
  }
}

async function* inParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let collected: Uint8Array[] = []
  let size = 0
  for await (const bytes of source) {
    collected.push(bytes)
    size += bytes.length
    if (size < partSize) continue
    yield Buffer.concat(collected)
    collected = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(collected)
}

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
  const partAt = (at: number) => starts.findLastIndex((start) => start <= at)
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
  const text = sliceText(decodeText(readStoredFile(sql, fileId), dialect))
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
  const bytes = await decompress(await readPart(sql, { fileId, part }))
  const own = part === 0 && dialect.bom ? bytes.subarray(byteOrderMarks[dialect.encoding].length) : bytes
  if (dialect.encoding === 'utf-8') return own
  return new StrictText(dialect.encoding).push(own)
}

/** How many processes may end while they read the same bytes before the file is quarantined. */
const mostDeaths = 2

/** The stored file that is read, and the first line if an import resumes in the middle. */
type Claimed = { fileId: bigint; fromLine?: number }

/**
 * Reads a stored file under a claim that is released when reading ends, even by an error. A claim whose process is gone
 * counts as a death. A file with too many deaths is quarantined with a FileProblem before anything of it is parsed.
 */
export const readUnderClaim = async <T>(sql: Database, claimed: Claimed, read: () => Promise<T>): Promise<T> => {
  await using _ = await claim(sql, claimed)
  return await read()
}

/** The same for rows that are read on demand: the claim ends once the last row is read, even if it is not yet written. */
export async function* streamUnderClaim<T>(
  sql: Database,
  claimed: Claimed,
  source: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  await using _ = await claim(sql, claimed)
  yield* source()
}

const claim = async (sql: Database, { fileId, fromLine = 0 }: Claimed): Promise<AsyncDisposable | null> => {
  const reader = { host: hostname(), process: identifyProcess(process.pid) ?? String(process.pid) }
  const made = await claimFileRead(sql, { ...reader, fileId, fromLine })
  if (!made) return null
  const deaths = made.earlier.filter(isDead).length
  if (deaths >= mostDeaths) {
    await releaseFileRead(sql, made.id)
    throw new FileProblem(['quarantined', deaths])
  }
  // If the database is away the claim stays. It is no death as long as this process runs.
  return { [Symbol.asyncDispose]: async () => void (await forgetFileReads(sql, made.id).catch(() => {})) }
}

const isDead = ({ host, process, heard }: { host: string; process: string; heard: boolean }): boolean =>
  host === hostname() ? identifyProcess(Number.parseInt(process, 10)) !== process : !heard
