import { setImmediate } from 'node:timers/promises'
import { FileProblem } from '../file-problem.ts'
import type { Dialect } from './dialect.ts'
import { occurrences } from './encoding.ts'
import { type CsvRecord, type FoundRecord, isWellQuoted, RecordParser, TextWindow } from './record-parser.ts'

/**
 * Turns the text of a file, chunk by chunk, into records with their positions.
 *
 * A quote that is opened and never rightly closed would swallow the rows after it. The line it stands on is then read
 * with its quotes as ordinary characters and marked `misquoted`, and reading continues with the next line.
 */
export class RecordReader {
  blankLines = 0
  #dialect: Dialect
  #maxRecordSize: number
  #parser: RecordParser
  /** The offset of the parser's first byte in the text. */
  #parserStart = 0
  /** The text from the next record on, as far as it has been read; the parser has `#fed` bytes of it. */
  #text = new TextWindow()
  #fed = 0
  /** How many delimiters were read since the last record. */
  #delimiters = 0
  #delimiterByte: number
  #step = largestStep
  #line = 1
  #records: CsvRecord[] = []

  constructor(dialect: Dialect, maxRecordSize: number) {
    this.#dialect = dialect
    this.#delimiterByte = dialect.delimiter.charCodeAt(0)
    this.#maxRecordSize = maxRecordSize
    this.#parser = new RecordParser(dialect, maxRecordSize)
  }

  /** The records that a chunk completes, in pieces: a quote without an end may have kept back millions. */
  async *push(chunk: Buffer): AsyncGenerator<CsvRecord[]> {
    this.#text.append(chunk)
    yield* this.#feed()
    yield this.#take()
  }

  async *end(): AsyncGenerator<CsvRecord[]> {
    for (;;) {
      const { found, error } = await this.#parser.finish()
      if ((this.#accept(found) && !error) || this.#text.bytes.length === 0) break
      await this.#readLineLiterally(true)
      yield* this.#feed()
    }
    yield this.#take()
  }

  async *#feed(): AsyncGenerator<CsvRecord[]> {
    while (this.#fed < this.#text.bytes.length) {
      const bytes = this.#text.bytes.subarray(this.#fed, this.#fed + this.#step)
      this.#fed += bytes.length
      const { found, error } = await this.#parser.feed(bytes)
      this.#delimiters = found.length > 0 ? 0 : this.#delimiters + occurrences(bytes, this.#delimiterByte)
      if (!this.#accept(found) || error || this.#isTooLong()) await this.#readLineLiterally(false)
      else this.#step = Math.min(this.#step * 2, largestStep)
      if (this.#records.length >= mostAtOnce) yield this.#take()
    }
  }

  /** csv-parse limits the text of a record but not its cells: sixteen million empty ones would take half a gigabyte. */
  #isTooLong(): boolean {
    return this.#fed > this.#maxRecordSize || this.#delimiters > mostCells
  }

  /** False if a record was misquoted: it and all records that the parser found after it are discarded. */
  #accept(found: FoundRecord[]): boolean {
    const origin = this.#parserStart - this.#text.start
    let start = 0
    for (const { cells, end } of found) {
      const next = origin + end
      if (!this.#add(cells, start, next)) {
        this.#cut(start)
        return false
      }
      start = next
    }
    this.#cut(start)
    return true
  }

  #add(cells: string[], start: number, next: number): boolean {
    const end = next - this.#lineEndLength(start, next)
    const lines = occurrences(this.#text.bytes, this.#dialect.newline === '\r' ? cr : lf, start, end)
    if (lines > 0 && this.#isMisquoted(cells, start, end)) return false
    const blank = cells.length === 1 && (cells[0] as string).trim() === '' && this.#text.bytes[start] !== quoteByte
    if (blank) this.blankLines++
    else this.#records.push(this.#record(cells, start, end))
    this.#line += this.#dialect.lineIsRecord ? 1 : 1 + lines
    return true
  }

  #record(cells: string[], start: number, end: number): CsvRecord {
    return { line: this.#line, cells, start: this.#text.start + start, end: this.#text.start + end }
  }

  #lineEndLength(start: number, next: number): number {
    const last = this.#text.bytes[next - 1]
    if (next <= start || (last !== cr && last !== lf)) return 0
    if (last === cr) return this.#dialect.newline === '\r' ? 1 : 0
    let length = 1
    while (length < longestLineEnd && next - length > start && this.#text.bytes[next - length - 1] === cr) length++
    return length
  }

  /** Where csv-parse meets a wrong closing quote, it leaves the opening one at the start of the cell. */
  #isMisquoted(cells: string[], start: number, end: number): boolean {
    const suspect = cells.some((cell) => cell.startsWith('"') && /[\r\n]/.test(cell))
    return suspect && !isWellQuoted(this.#text.bytes.subarray(start, end), this.#dialect)
  }

  async #readLineLiterally(last: boolean): Promise<void> {
    const byte = this.#dialect.newline === '\r' ? cr : lf
    const found = this.#text.bytes.indexOf(byte)
    if ((found < 0 && !last) || found > this.#maxRecordSize) throw this.#tooLong()
    const next = found < 0 ? this.#text.bytes.length : found + 1
    const end = next - this.#lineEndLength(0, next)
    const cells = this.#text.bytes.toString('utf8', 0, end).split(this.#dialect.delimiter)
    this.#records.push({ ...this.#record(cells, 0, end), misquoted: true })
    this.#line++
    this.#cut(next)
    this.#restart()
    await setImmediate()
  }

  /** Starts with small steps: where one quote is wrong the next often is too, and what was parsed ahead is lost. */
  #restart(): void {
    this.#parser.destroy()
    this.#parser = new RecordParser(this.#dialect, this.#maxRecordSize)
    this.#parserStart = this.#text.start
    this.#fed = 0
    this.#delimiters = 0
    this.#step = smallestStep
  }

  #cut(length: number): void {
    this.#text.cut(length)
    this.#fed -= length
  }

  #take(): CsvRecord[] {
    const records = this.#records
    this.#records = []
    return records
  }

  #tooLong(): FileProblem {
    return new FileProblem(['at_line', this.#line, ['row_long', this.#maxRecordSize, mostCells]])
  }
}

const cr = 0x0d
const lf = 0x0a
const quoteByte = 0x22
/** `\r\r\n` */
const longestLineEnd = 3
const mostCells = 1_000_000
const smallestStep = 256
const largestStep = 64 * 1024
const mostAtOnce = 2_000
