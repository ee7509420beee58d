import { endOfField, readCopyLines, readInteger, unescapeField, unescapeText } from './copy-lines.ts'

/**
 * One row as PostgreSQL sends it: the place of its text, its state, the message to format, the registry's name for the
 * document, and the cells to add before and after the comparison of names.
 */
export type ResultLine = {
  start: number
  size: number
  state: string
  message: string | null
  registryName: string
  cells: Buffer
  after: Buffer
}

export const readResultLines = (source: AsyncIterable<Buffer>): AsyncGenerator<ResultLine[]> =>
  readCopyLines(source, parseLine)

const parseLine = (bytes: Buffer, from: number, end: number): ResultLine => {
  const first = endOfField(bytes, from)
  const second = endOfField(bytes, first + 1)
  const third = endOfField(bytes, second + 1)
  const fourth = endOfField(bytes, third + 1)
  const fifth = endOfField(bytes, fourth + 1)
  const sixth = endOfField(bytes, fifth + 1)
  return {
    start: readInteger(bytes, from, first),
    size: readInteger(bytes, first + 1, second),
    state: bytes.toString('latin1', second + 1, third),
    message: bytes[third + 1] === backslash ? null : unescapeText(bytes.toString('utf8', third + 1, fourth)),
    registryName: fifth === fourth + 1 ? '' : (unescapeText(bytes.toString('utf8', fourth + 1, fifth)) ?? ''),
    cells: unescapeField(bytes.subarray(fifth + 1, sixth)),
    after: unescapeField(bytes.subarray(sixth + 1, end)),
  }
}

/** A field that begins with it is null: a message is JSON and begins with a bracket. */
const backslash = 0x5c
