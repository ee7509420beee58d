import { readCopyLines } from '../copy-lines.ts'
import { ByteRoom } from '../sliced-text.ts'
import type { OwnCells } from './own-cells.ts'
import type { ToldRow } from './told-row.ts'

type SheetLines = {
  results: AsyncIterable<Buffer>
  parse: (bytes: Buffer, from: number, end: number) => ToldRow
  own: OwnCells
  /** Puts a row's pieces in order: what is said of it, before or after the caller's cells. */
  told: (told: string, line: number) => Buffer
  toldFirst?: boolean
}

/** Strings the rows of a sheet together out of what PostgreSQL sends and what the caller's file holds. */
export async function* sheetLines({ results, parse, own, told, toldFirst }: SheetLines): AsyncGenerator<Uint8Array> {
  const room = new ByteRoom()
  try {
    for await (const rows of readCopyLines(results, parse)) {
      for (const row of rows) {
        const mine = own.at(row)
        const text = typeof mine === 'string' ? mine : await mine
        room.append(rowBegins)
        if (toldFirst) room.append(told(row.told, row.line))
        room.appendText(text)
        if (!toldFirst) room.append(told(row.told, row.line))
        room.append(row.cells)
        room.append(rowEnds)
        if (room.size >= pieceSize) yield taken(room)
      }
    }
    if (room.size > 0) yield taken(room)
  } finally {
    await own.close()
  }
}

/** A copy: it is packed on another thread while the next rows are written into the room. */
const taken = (room: ByteRoom): Buffer => {
  const piece = Buffer.from(room.slice())
  room.letGo(room.size)
  return piece
}

const rowBegins = Buffer.from('<row>')
const rowEnds = Buffer.from('</row>\n')
const pieceSize = 128 * 1024
