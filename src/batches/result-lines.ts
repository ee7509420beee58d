import { endOfField, readCopyLines, readInteger, unescapeField } from './copy-lines.ts'

/** One row as PostgreSQL sends it: where its text stands, how it ended, and the cells to add. */
type ResultLine = { start: number; size: number; state: string; cells: Buffer }

export const readResultLines = (source: AsyncIterable<Buffer>): AsyncGenerator<ResultLine[]> =>
  readCopyLines(source, parseLine)

const parseLine = (bytes: Buffer, from: number, end: number): ResultLine => {
  const first = endOfField(bytes, from)
  const second = endOfField(bytes, first + 1)
  const third = endOfField(bytes, second + 1)
  return {
    start: readInteger(bytes, from, first),
    size: readInteger(bytes, first + 1, second),
    state: bytes.toString('latin1', second + 1, third),
    cells: unescapeField(bytes.subarray(third + 1, end)),
  }
}
