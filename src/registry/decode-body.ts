import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

/** The text of a body that came encoded though identity was asked for; never more than the limit, however small it was. */
export async function decodeBody(bytes: Uint8Array, encoding: string | string[], maxBytes: number): Promise<string> {
  const decoder = decoders.get(String(encoding).trim().toLowerCase())
  const decoded = decoder ? await decoder(bytes, { maxOutputLength: maxBytes }) : bytes
  return utf8.decode(decoded)
}

const utf8 = new TextDecoder()

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
] as [string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>][])
