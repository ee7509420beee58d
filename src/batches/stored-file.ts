import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { createZstdDecompress, zstdCompress } from 'node:zlib'
import { readAhead } from '../csv/read-ahead.ts'
import type { Sql } from '../store/connect.ts'
import {
  beginFile,
  dropFile,
  dropParts,
  readPart,
  resealFile,
  type StoredFile,
  sealFile,
  writePart,
} from '../store/files.ts'

const compress = promisify(zstdCompress)
const partSize = 1024 * 1024
const pieceSize = 16 * 1024

/** Streams a file into the database, in compressed parts, so that every worker of the fleet can read it. */
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
 * Puts other bytes in the place of a stored file, inside a transaction; the source may read the old ones outside of it.
 * They no longer answer for the bytes that were dropped, so the same ones again are another file.
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
 * Streams a stored file back, one part in memory at a time and the next one on its way.
 *
 * In small pieces: they are collected young, while whole parts would grow old and pile up.
 */
export async function* readStoredFile(sql: Sql, fileId: bigint): AsyncGenerator<Uint8Array> {
  for await (const bytes of readAhead(readParts(sql, fileId))) {
    yield* createZstdDecompress({ chunkSize: pieceSize }).end(bytes)
  }
}

async function* readParts(sql: Sql, fileId: bigint): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const bytes = await readPart(sql, fileId, part)
    if (!bytes) return
    yield bytes
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
