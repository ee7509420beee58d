import { isAscii, isUtf8 } from 'node:buffer'
import type { Message } from '../../messages/message.ts'
import { FileProblem } from '../file-problem.ts'
import type { Dialect, Encoding } from './dialect.ts'

/** The text of a file as UTF-8 without its byte order mark; the offsets of a CsvRecord count in it. */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  dialect: Pick<Dialect, 'encoding' | 'bom'>,
): AsyncGenerator<Buffer> {
  const text = new StrictText(dialect.encoding)
  let bomLength = dialect.bom ? byteOrderMarks[dialect.encoding].length : 0
  for await (const chunk of source) {
    const skipped = Math.min(bomLength, chunk.length)
    bomLength -= skipped
    const decoded = text.push(chunk.subarray(skipped))
    if (decoded.length > 0) yield decoded
  }
  text.end()
}

export const byteOrderMarks: Record<Encoding, Buffer> = {
  'utf-8': Buffer.from([0xef, 0xbb, 0xbf]),
  'utf-16le': Buffer.from([0xff, 0xfe]),
  'utf-16be': Buffer.from([0xfe, 0xff]),
  'windows-1252': Buffer.alloc(0),
}

/** The encoding that a text names by its first bytes. */
export const byteOrderMark = (head: Buffer): Pick<Dialect, 'encoding' | 'bom'> | undefined => {
  const encodings = ['utf-8', 'utf-16le', 'utf-16be'] as const
  const encoding = encodings.find((name) => byteOrderMarks[name].equals(head.subarray(0, byteOrderMarks[name].length)))
  return encoding && { encoding, bom: true }
}

export type Encoder = {
  encode(text: string): Buffer
  /** How many characters the encoding lacks; each was written as `?`. */
  readonly lost: number
}

/** Writes text in an encoding; a text must not end in the middle of a character. */
export const encodeInto = (encoding: Encoding): Encoder => {
  let lost = 0
  const write: Record<Encoding, (text: string) => Buffer> = {
    'utf-8': (text) => Buffer.from(text),
    'utf-16le': (text) => Buffer.from(text, 'utf16le'),
    'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
    'windows-1252': (text) => encodeWindows1252(text, () => lost++),
  }
  return {
    encode: write[encoding],
    get lost() {
      return lost
    },
  }
}

/** The reverse of `decodeText`: UTF-8 in, the dialect's bytes out, with its byte order mark. */
export async function* encodeText(
  source: AsyncIterable<Uint8Array>,
  dialect: Pick<Dialect, 'encoding' | 'bom'>,
  encoder: Encoder = encodeInto(dialect.encoding),
): AsyncGenerator<Buffer> {
  if (dialect.bom) yield byteOrderMarks[dialect.encoding]
  const characters = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for await (const chunk of source) {
    const bytes = encoder.encode(characters.decode(chunk, { stream: true }))
    if (bytes.length > 0) yield bytes
  }
  characters.decode()
}

/**
 * Turns the bytes of a file (without its byte order mark), chunk by chunk, into UTF-8.
 *
 * Nothing is replaced: what does not decode, and NUL, which no cell can hold, is a FileProblem with its line.
 */
export class StrictText {
  #encoding: Encoding
  #carry: Buffer = Buffer.alloc(0)
  #lines = { lf: 0, cr: 0 }

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  push(chunk: Uint8Array): Buffer {
    const bytes = this.#carry.length > 0 ? Buffer.concat([this.#carry, chunk]) : asBuffer(chunk)
    const end = completeCharacters[this.#encoding](bytes)
    this.#carry = Buffer.from(bytes.subarray(end))
    return this.#check(bytes.subarray(0, end))
  }

  /** The last character must be complete too. */
  end(): void {
    if (this.#carry.length > 0) throw this.#undecodable(this.#carry, 0)
  }

  #check(bytes: Buffer): Buffer {
    const text = decode[this.#encoding](bytes)
    if (text === undefined) throw this.#undecodable(bytes, firstFault(bytes, this.#encoding))
    const nul = text.indexOf(0)
    this.#count(nul < 0 ? text : text.subarray(0, nul))
    if (nul >= 0) throw this.#problem(['nul'])
    return text
  }

  #undecodable(bytes: Buffer, fault: number): FileProblem {
    this.#count(decode[this.#encoding](bytes.subarray(0, fault)) ?? Buffer.alloc(0))
    const byte = (bytes[fault] ?? 0).toString(16).padStart(2, '0').toUpperCase()
    return this.#problem(['undecodable', `0x${byte}`, this.#encoding])
  }

  #count(text: Buffer): void {
    this.#lines.lf += occurrences(text, 0x0a)
    if (this.#lines.lf === 0) this.#lines.cr += occurrences(text, 0x0d)
  }

  #problem(what: Message): FileProblem {
    return new FileProblem(['at_line', 1 + (this.#lines.lf || this.#lines.cr), what])
  }
}

/** How many of the bytes make complete characters; the rest waits for the next chunk. */
const completeCharacters: Record<Encoding, (bytes: Buffer) => number> = {
  'utf-8': completeUtf8,
  'utf-16le': (bytes) => completeUtf16(bytes, 1),
  'utf-16be': (bytes) => completeUtf16(bytes, 0),
  'windows-1252': (bytes) => bytes.length,
}

/** The text as UTF-8; undefined where a byte has no meaning. */
const decode: Record<Encoding, (bytes: Buffer) => Buffer | undefined> = {
  'utf-8': (bytes) => (isUtf8(bytes) ? bytes : undefined),
  'utf-16le': (bytes) => wellFormed(bytes.toString('utf16le')),
  'utf-16be': (bytes) => wellFormed(Buffer.from(bytes).swap16().toString('utf16le')),
  'windows-1252': (bytes) => {
    if (isAscii(bytes)) return bytes
    if (undefinedBytes.some((byte) => bytes.includes(byte))) return undefined
    return Buffer.from(decodeWindows1252(bytes))
  },
}

const wellFormed = (text: string) => (text.isWellFormed() ? Buffer.from(text) : undefined)

function completeUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

const completeUtf16 = (bytes: Buffer, highByte: 0 | 1): number => {
  const even = bytes.length - (bytes.length % 2)
  const opensPair = even > 0 && ((bytes[even - 2 + highByte] as number) & 0xfc) === 0xd8
  return opensPair ? even - 2 : even
}

/** Bisects to find the longest prefix that decodes. */
const firstFault = (bytes: Buffer, encoding: Encoding): number => {
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    const end = completeCharacters[encoding](bytes.subarray(0, middle))
    if (decode[encoding](bytes.subarray(0, end)) === undefined) bad = middle
    else good = middle
  }
  return completeCharacters[encoding](bytes.subarray(0, good))
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** How often a byte occurs. */
export const occurrences = (bytes: Buffer, byte: number, from = 0, end = bytes.length): number => {
  let count = 0
  for (let at = bytes.indexOf(byte, from); at >= 0 && at < end; at = bytes.indexOf(byte, at + 1)) count++
  return count
}

/**
 * The 27 characters that Windows-1252 has at 0x80–0x9F, where Latin-1 has control characters; a space where it has none.
 * `TextDecoder('windows-1252')` is wrong about them on Node 20 and 24.0–24.6, hence our own table.
 */
const specials = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

const codes = new Map([...specials].map((character, at) => [character, 0x80 + at]))

/** Bytes that have no meaning in Windows-1252. */
const undefinedBytes = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

const decodeWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\x80-\x9f]/g, (control) => specials[control.charCodeAt(0) - 0x80] as string)

/** Characters that Windows-1252 lacks become `?`; `onLost` is called for each. */
const encodeWindows1252 = (text: string, onLost: () => void): Buffer => {
  const latin1 = text.replace(/[^\0-\x7f\xa0-\xff]/gu, (character) => {
    const code = codes.get(character)
    if (code === undefined) onLost()
    return code === undefined ? '?' : String.fromCharCode(code)
  })
  return Buffer.from(latin1, 'latin1')
}
