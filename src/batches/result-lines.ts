import { endOfField, readCopyLines, readInteger, unescapeField, unescapeText } from './copy-lines.ts'

/** One row as PostgreSQL sends it: the place of its text, its state, the message to format, and the cells to add. */
type ResultLine = { start: number; size: number; state: string; message: string | null; cells: Buffer }

export const readResultLines = (source: AsyncIterable<Buffer>): AsyncGenerator<ResultLine[]> =>
  readCopyLines(source, parseLine)

const parseLine = (bytes: Buffer, from: number, end: number): ResultLine => {
  const first = endOfField(bytes, from)
  const second = endOfField(bytes, first + 1)
  const third = endOfField(bytes, second + 1)
  const fourth = endOfField(bytes, third + 1)
  return {
    start: readInteger(bytes, from, first),
    size: readInteger(bytes, first + 1, second),
    state: bytes.toString('latin1', second + 1, third),
    message: bytes[third + 1] === backslash ? null : unescapeText(bytes.toString('utf8', third + 1, fourth)),
    cells: unescapeField(bytes.subarray(fourth + 1, end)),
  }
}

/** A field that begins with it is null: a message is JSON and begins with a bracket. */
const backslash = 0x5c
