import type { ReportEncoding } from '../domain/batch.ts'
import type { Kind } from '../domain/kind.ts'
import { compareNames } from '../domain/name-match.ts'
import { nameColumn } from '../files/columns/find-columns.ts'
import { csvText } from '../files/csv/dialect.ts'
import { byteOrderMarks, type Encoder, encodeInto } from '../files/csv/encoding.ts'
import { keepColumns, missingColumns, splitRecord } from '../files/csv/split-record.ts'
import { inertSheetText } from '../files/sheet-text.ts'
import type { Message } from '../messages/message.ts'
import type { AtomicFile } from './atomic-file.ts'
import { Figures } from './figures.ts'
import { type Layout, ownHeader } from './layout.ts'
import { cellPlace, type ResultCell, resultColumns } from './result-columns.ts'
import { detailOf, type ResultRow } from './result-row.ts'
import { ByteWindow, isMadeOf } from './sliced-text.ts'

/** The columns that the report of a kind adds on the right; of several documents each has its own, named after its column. */
export const resultHeaders = (kind: Kind, documents: readonly string[] = []): string[] => {
  const headers = resultColumns(kind).flatMap(({ header }) => (header === null ? [] : [header]))
  return documents.length === 0 ? headers : documents.flatMap((name) => headers.map((header) => `${name}.${header}`))
}

export const rejectHeaders = ['reject_line', 'reject_reason', 'reject_detail']

/** Writes what reports add to a row as the cells of a CSV. What it returns is valid until the next row. */
export const createCsvResults = (
  row: ResultRow,
  kind: Kind,
  { dialect, columns }: Layout,
  formatMessage: (message: Message) => string,
) => {
  const cells = resultColumns(kind)
    .filter(({ header }) => header !== null)
    .map(({ cell }) => ({ type: cell.type, place: cellPlace(cell, row) }))
  const delimiter = dialect.delimiter.charCodeAt(0)
  const decimal = dialect.decimal.charCodeAt(0)
  const name = nameColumn(columns)
  const figures = kind === 'analysis' ? new Figures(row) : null
  const details = new Map<string, Buffer>()
  const written = new ByteWindow()

  const append = (type: ResultCell['type'], place: number, raw: Buffer): void => {
    if (type === 'count') figures!.appendCount(place, written)
    else if (type === 'amount') appendAmount(place)
    else if (type === 'text' || type === 'boolean') appendText(place)
    else if (type === 'detail') appendDetail()
    else if (type === 'nameMatch') appendNameMatch(place, raw)
    else appendAsIs(place)
  }
  const appendAsIs = (place: number): void => {
    if (!row.isEmpty(place)) written.appendPart(row.bytes, row.from(place), row.end(place))
  }
  /** Hardly any text needs quotes. */
  const appendText = (place: number): void => {
    if (row.isEmpty(place)) return
    const [from, end] = [row.from(place), row.end(place)]
    if (isMadeOf(isPlain, row.bytes, from, end)) written.appendPart(row.bytes, from, end)
    else written.appendText(csvText(row.text(place)))
  }
  const appendAmount = (place: number): void => {
    if (figures!.hasAmount(place)) figures!.appendAmount(place, written, decimal)
    else written.appendText(csvText(figures!.amountText(place)))
  }
  /** A million rows have a few dozen different details, so each is cached. A cache that grows too large is cleared. */
  const appendDetail = (): void => {
    const message = row.at('message')
    if (row.isEmpty(message)) return
    const key = row.key(message, message)
    const known = details.get(key) ?? Buffer.from(csvText(detailOf(row, formatMessage)))
    if (details.size >= mostKnown) details.clear()
    details.set(key, known)
    written.append(known)
  }
  /** Empty where one of the two names is missing. */
  const appendNameMatch = (place: number, raw: Buffer): void => {
    if (name === undefined || row.isEmpty(place)) return
    const given = splitRecord(raw, dialect)[name] ?? ''
    written.appendText(compareNames(given, row.text(place))?.match ?? '')
  }
  return {
    /** The cells of a row, whose text in the file is `raw`. */
    report(raw: Buffer): Buffer {
      written.letGo(written.size)
      figures?.read()
      for (let at = 0; at < cells.length; at++) {
        if (at > 0) written.appendByte(delimiter)
        const { type, place } = cells[at]!
        append(type, place, raw)
      }
      return written.slice()
    },

    /** The cells of a row that was rejected. */
    reject(): Buffer {
      written.letGo(written.size)
      for (const field of ['line', 'rejectReason'] as const) {
        appendAsIs(row.at(field))
        written.appendByte(delimiter)
      }
      appendDetail()
      return written.slice()
    },
  }
}

const mostKnown = 2_000

/** Neither needs quotes nor starts a formula. The letters beyond ASCII do not, but for those that begin with 0xEF. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= 0x80 && byte !== 0xef) || /[0-9A-Za-z ._/:()']/.test(String.fromCharCode(byte)) ? 1 : 0,
)

const flushAt = 256 * 1024

/** Writes one of the two CSV files of a batch: the caller's own text, with the added cells on its right. */
export const createReportWriter = (file: AtomicFile, layout: Layout, encoding: ReportEncoding) => {
  const { dialect, columns } = layout
  const encoder = encoderFor(layout, encoding)
  const [delimiter, newline] = [Buffer.from(dialect.delimiter), Buffer.from(dialect.newline)]
  const collected = new ByteWindow()
  let rows = 0
  /** The caller's own cells come back unchanged. Cells of a sheet were not CSV, where they could become formulas. */
  const inert = (raw: Buffer): Buffer =>
    layout.sheet === undefined ? raw : Buffer.from(inertSheetText(raw.toString()))
  /** Short rows are padded, so that added cells stand under their header. Longer rows keep every cell. */
  const pushOwn = (raw: Buffer): void => {
    const own = inert(columns.ownColumns > 0 ? keepColumns(raw, columns, dialect) : raw)
    const missing = missingColumns(own, columns.width, dialect)
    collected.append(own)
    for (let i = 0; i < missing; i++) collected.append(delimiter)
  }
  const addCells = (cells: Buffer): void => {
    collected.append(delimiter)
    collected.append(cells)
  }
  return {
    /** The byte order mark, the `sep=` line, titles and the header. A file that came without a header gets one. */
    async begin({ above, header }: { above: Buffer | null; header: Buffer | null }, added: string[]): Promise<void> {
      const mark = bomFor(layout, encoding)
      if (mark) await file.write(mark)
      if (above) collected.append(inert(above))
      else if (dialect.sepLine) collected.append(Buffer.from(`sep=${dialect.delimiter}${dialect.newline}`))
      pushOwn(header ?? Buffer.from(ownHeader(layout).join(dialect.delimiter)))
      addCells(Buffer.from(added.map(csvText).join(dialect.delimiter)))
      collected.append(newline)
    },
    get rows() {
      return rows
    },
    /** How many characters of the answers the file's encoding lacks; each was written as `?`. */
    get lost() {
      return encoder?.lost ?? 0
    },
    beginRow(raw: Buffer): void {
      rows++
      pushOwn(raw)
    },
    addCells,
    /** If it returns true, the caller must flush before it begins the next row. */
    endRow(): boolean {
      collected.append(newline)
      return collected.size >= flushAt
    },
    async flush(): Promise<void> {
      const bytes = collected.slice()
      await file.write(encoder ? encoder.encode(bytes.toString()) : bytes)
      collected.letGo(collected.size)
    },
  }
}

const encoderFor = ({ dialect }: Layout, encoding: ReportEncoding): Encoder | null =>
  encoding === 'utf8' || dialect.encoding === 'utf-8' ? null : encodeInto(dialect.encoding)

const bomFor = ({ dialect }: Layout, encoding: ReportEncoding): Buffer | null => {
  if (encoding === 'utf8') return byteOrderMarks['utf-8']
  return dialect.bom ? byteOrderMarks[dialect.encoding] : null
}
