import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

/**
 * The text of a body, also of one that came encoded though identity was asked for.
 *
 * Null where it cannot be decoded, or would be larger than the limit, however small it was on the wire.
 */
export async function decodeBody(
  bytes: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<string | null> {
  const decoder = encoding && decoders.get(encoding.trim().toLowerCase())
  if (!decoder) return withoutMark(bytes.toString())
  try {
    const decoded = await decoder(bytes, { maxOutputLength: maxBytes })
    return withoutMark(decoded.toString())
  } catch {
    return null
  }
}

const withoutMark = (text: string) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

const decoders = new Map<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
])
