import type { Kind } from '../domain/kind.ts'
import type { Message } from '../messages/message.ts'
import { type ResultField, resultFields } from '../store/batches/results.ts'

/** Where a row stands in the file: its first line, and its text. */
export type RowPlace = { line: number; start: number; size: number }

/**
 * A row of `streamResults`, the one that was read last: the next one takes its place.
 *
 * The bytes are scanned once, and a field becomes a value only where somebody needs one: a million rows of sixty cells
 * would otherwise be sixty million values.
 */
export class ResultRow implements RowPlace {
  bytes: Buffer = nothing
  readonly #fields: ResultField[]
  /** The ends of the fields; the field at `i` begins after the end of the one before. */
  readonly #ends: Int32Array
  #from = 0

  constructor(kind: Kind) {
    this.#fields = resultFields(kind)
    this.#ends = new Int32Array(this.#fields.length + 1)
  }

  /** Takes more bytes, after `next` returned false. */
  feed(bytes: Buffer): void {
    const rest = this.bytes.subarray(this.#from)
    this.bytes = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    this.#from = 0
  }

  /** Moves on to the next row; false if its end has not arrived yet. */
  next(): boolean {
    const { bytes } = this
    const ends = this.#ends
    let field = 0
    ends[field++] = this.#from - 1
    for (let at = this.#from; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (byte > tab && byte !== newline) continue
      if (byte === tab) ends[field++] = at
      else if (byte === newline) {
        ends[field] = at
        this.#from = at + 1
        return true
      }
    }
    return false
  }

  /** The place of a field, for the functions below. */
  at(field: ResultField): number {
    const place = this.#fields.indexOf(field)
    if (place < 0) throw new Error(`Rows of this kind have no field ${field}`)
    return place
  }

  from(place: number): number {
    return (this.#ends[place] as number) + 1
  }

  end(place: number): number {
    return this.#ends[place + 1] as number
  }

  /** Whether a field is null or an empty text. */
  isEmpty(place: number): boolean {
    const from = this.from(place)
    const size = this.end(place) - from
    return size === 0 || (size === 2 && this.bytes[from] === backslash && this.bytes[from + 1] === letterN)
  }

  /** Empty for null. */
  text(place: number): string {
    return this.isEmpty(place) ? '' : unescapeField(this.bytes.toString('utf8', this.from(place), this.end(place)))
  }

  /** Some fields that follow one another, as a key. */
  key(first: number, last: number): string {
    return this.bytes.toString('latin1', this.from(first), this.end(last))
  }

  get line(): number {
    return this.#integer(0)
  }

  get start(): number {
    return this.#integer(1)
  }

  get size(): number {
    return this.#integer(2)
  }

  /** Which document of the row. */
  get part(): number {
    return this.#integer(3)
  }

  #integer(place: number): number {
    const end = this.end(place)
    let value = 0
    for (let at = this.from(place); at < end; at++) value = value * 10 + (this.bytes[at] as number) - zero
    return value
  }
}

/** The message of a row as text. */
export const detailOf = (row: ResultRow, format: (message: Message) => string): string => {
  const message = row.text(row.at('message'))
  return message === '' ? '' : format(JSON.parse(message) as Message)
}

/** COPY writes tabs, line ends and backslashes as two characters. */
const unescapeField = (field: string): string =>
  field.includes('\\') ? field.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) : field

const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v' }
const nothing = Buffer.alloc(0)
const newline = 0x0a
const tab = 0x09
const backslash = 0x5c
const letterN = 0x4e
const zero = 0x30
