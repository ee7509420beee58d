import { readCopyLines } from '../copy-lines.ts'
import { ByteWindow } from '../sliced-text.ts'
import type { OwnCells } from './own-cells.ts'
import type { ResultRow } from './result-row.ts'

type SheetLines = {
  results: AsyncIterable<Buffer>
  parse: (bytes: Buffer, from: number, end: number) => ResultRow
  own: OwnCells
  /** Writes the result cells of a row, which stand before or after the caller's cells. */
  result: (result: string, line: number) => Buffer
  resultFirst?: boolean
  /** Writes the cell that compares the registry's name with that of the row. */
  match?: (given: string, registryName: string) => Buffer
}

/** Joins the rows of a sheet from PostgreSQL's results and the caller's file. */
export async function* sheetLines({
  results,
  parse,
  own,
  result,
  resultFirst,
  match,
}: SheetLines): AsyncGenerator<Uint8Array> {
  const window = new ByteWindow()
  try {
    for await (const rows of readCopyLines(results, parse)) {
      for (const row of rows) {
        const mine = own.at(row)
        const text = typeof mine === 'string' ? mine : await mine
        window.append(rowBegins)
        if (resultFirst) window.append(result(row.result, row.line))
        window.appendText(text)
        if (!resultFirst) window.append(result(row.result, row.line))
        window.append(row.cells)
        if (match && row.after.length > 0) window.append(match(own.name(), row.registryName))
        window.append(row.after)
        window.append(rowEnds)
        if (window.size >= pieceSize) yield taken(window)
      }
    }
    if (window.size > 0) yield taken(window)
    await own.end()
  } finally {
    await own.close()
  }
}

/** A copy: another thread compresses it while the next rows overwrite the buffer. */
const taken = (window: ByteWindow): Buffer => {
  const piece = Buffer.from(window.slice())
  window.letGo(window.size)
  return piece
}

const rowBegins = Buffer.from('<row>')
const rowEnds = Buffer.from('</row>\n')
const pieceSize = 128 * 1024
