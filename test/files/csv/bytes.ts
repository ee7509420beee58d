import type { Dialect } from '../../../src/files/csv/dialect.ts'

/** How a plain file of lines is written; a test changes what it is about. */
export const plain: Dialect = {
  encoding: 'utf-8',
  bom: false,
  delimiter: ';',
  quote: '"',
  newline: '\n',
  sepLine: false,
  header: true,
  decimal: ',',
}

/** A source of bytes in pieces of the given size, as a file or a socket would send them. */
export async function* inPieces(bytes: Uint8Array, size = bytes.length || 1): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export const collect = async <T>(source: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of source) all.push(item)
  return all
}

export const joined = async (source: AsyncIterable<Uint8Array>) => Buffer.concat(await collect(source))
