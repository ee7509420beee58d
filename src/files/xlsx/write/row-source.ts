import { rowXml, type WrittenCell } from './cell-xml.ts'

/** Rows that were produced elsewhere, each a line as `rowXml` makes it, in pieces of any size; or cells to make them of. */
export type SheetRows =
  | { lines: AsyncIterable<Uint8Array> }
  | { cells: AsyncIterable<readonly WrittenCell[]> | Iterable<readonly WrittenCell[]> }

/** Gives rows in shares: if a sheet is full, the next one continues with the row that follows. */
export class RowSource {
  /** How many rows the last share held. */
  rows = 0
  readonly #pieces: AsyncGenerator<Uint8Array>
  #rest: Uint8Array | undefined

  constructor(rows: SheetRows) {
    this.#pieces = 'lines' in rows ? linesOf(rows.lines) : linesOfCells(rows.cells)
  }

  async *take(most: number): AsyncGenerator<Uint8Array> {
    this.rows = 0
    while (!(await this.isOver())) {
      const piece = this.#rest as Uint8Array
      const { end, rows } = endOfRows(piece, most - this.rows)
      this.rows += rows
      this.#rest = end < piece.length ? piece.subarray(end) : undefined
      if (end > 0) yield piece.subarray(0, end)
      if (this.#rest) return
    }
  }

  /** Closes the rest of the rows: rows from a database keep their connection until they are closed. */
  async close(): Promise<void> {
    await this.#pieces.return(undefined)
  }

  async isOver(): Promise<boolean> {
    while (!this.#rest?.length) {
      const { done, value } = await this.#pieces.next()
      if (done) return true
      this.#rest = value
    }
    return false
  }
}

/** The bytes that hold at most that many rows, and how many rows they hold. An incomplete row is not counted. */
const endOfRows = (bytes: Uint8Array, most: number): { end: number; rows: number } => {
  let end = 0
  for (let rows = 0; rows < most; rows++) {
    const newline = bytes.indexOf(0x0a, end)
    if (newline < 0) return { end: bytes.length, rows }
    end = newline + 1
  }
  return { end, rows: most }
}

async function* linesOf(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* lines
}

async function* linesOfCells(
  cells: AsyncIterable<readonly WrittenCell[]> | Iterable<readonly WrittenCell[]>,
): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const row of cells) {
    text += rowXml(row)
    if (text.length < pieceSize) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

const pieceSize = 64 * 1024
