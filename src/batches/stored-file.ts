import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { createZstdDecompress, zstdCompress } from 'node:zlib'
import {
  beginFile,
  countParts,
  dropFile,
  dropParts,
  readPiece,
  resealFile,
  type StoredFile,
  sealFile,
  writePart,
} from '../store/batches/files.ts'
import type { Sql } from '../store/connect.ts'

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
    const bytes = await readPiece(sql, { fileId, part, from, size: pieceSize })
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
