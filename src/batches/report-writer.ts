import type { ReportEncoding } from '../domain/batch.ts'
import { csvText } from '../files/csv/dialect.ts'
import { byteOrderMarks, type Encoder, encodeInto } from '../files/csv/encoding.ts'
import { keepColumns, missingColumns } from '../files/csv/split-record.ts'
import { inertSheetText } from '../files/sheet-text.ts'
import type { AtomicFile } from './atomic-file.ts'
import { type Layout, ownHeader } from './layout.ts'
import { ByteWindow } from './sliced-text.ts'

const flushAt = 256 * 1024

/** Writes one of the two CSV files of a batch: the caller's own text, with the added cells on its right. */
export class ReportWriter {
  readonly #file: AtomicFile
  readonly #layout: Layout
  readonly #encoder: Encoder | null
  readonly #mark: Buffer | null
  readonly #delimiter: Buffer
  readonly #newline: Buffer
  readonly #collected = new ByteWindow()
  rows = 0

  constructor(file: AtomicFile, layout: Layout, encoding: ReportEncoding) {
    this.#file = file
    this.#layout = layout
    this.#encoder = encoderFor(layout, encoding)
    this.#mark = bomFor(layout, encoding)
    this.#delimiter = Buffer.from(layout.dialect.delimiter)
    this.#newline = Buffer.from(layout.dialect.newline)
  }

  /** The byte order mark, the `sep=` line, titles and the header. A file that came without a header gets one. */
  async begin({ above, header }: { above: Buffer | null; header: Buffer | null }, added: string[]): Promise<void> {
    const { dialect } = this.#layout
    if (this.#mark) await this.#file.write(this.#mark)
    if (above) this.#push(this.#inert(above))
    else if (dialect.sepLine) this.#push(Buffer.from(`sep=${dialect.delimiter}`), this.#newline)
    const own = header ?? Buffer.from(ownHeader(this.#layout).join(dialect.delimiter))
    this.#pushOwn(own)
    this.addCells(Buffer.from(added.map(csvText).join(dialect.delimiter)))
    this.#push(this.#newline)
  }

  /** How many characters of the answers the file's encoding lacks; each was written as `?`. */
  get lost(): number {
    return this.#encoder?.lost ?? 0
  }

  beginRow(raw: Buffer): void {
    this.rows++
    this.#pushOwn(raw)
  }

  addCells(cells: Buffer): void {
    this.#push(this.#delimiter, cells)
  }

  /** If it returns true, the caller must flush before it begins the next row. */
  endRow(): boolean {
    this.#push(this.#newline)
    return this.#collected.size >= flushAt
  }

  async flush(): Promise<void> {
    const bytes = this.#collected.slice()
    await this.#file.write(this.#encoder ? this.#encoder.encode(bytes.toString()) : bytes)
    this.#collected.letGo(this.#collected.size)
  }

  /** Short rows are padded, so that added cells stand under their header. Longer rows keep every cell. */
  #pushOwn(raw: Buffer): void {
    const { dialect, columns } = this.#layout
    const own = this.#inert(columns.ownColumns > 0 ? keepColumns(raw, columns, dialect) : raw)
    const missing = missingColumns(own, columns.width, dialect)
    this.#push(own)
    for (let i = 0; i < missing; i++) this.#push(this.#delimiter)
  }

  /** The caller's own cells come back unchanged. Cells of a sheet were not CSV, where they could become formulas. */
  #inert(raw: Buffer): Buffer {
    return this.#layout.sheet === undefined ? raw : Buffer.from(inertSheetText(raw.toString()))
  }

  #push(...pieces: Buffer[]): void {
    for (const piece of pieces) this.#collected.append(piece)
  }
}

const encoderFor = ({ dialect }: Layout, encoding: ReportEncoding): Encoder | null =>
  encoding === 'utf8' || dialect.encoding === 'utf-8' ? null : encodeInto(dialect.encoding)

const bomFor = ({ dialect }: Layout, encoding: ReportEncoding): Buffer | null => {
  if (encoding === 'utf8') return byteOrderMarks['utf-8']
  return dialect.bom ? byteOrderMarks[dialect.encoding] : null
}
