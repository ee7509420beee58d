import { isAscii, isUtf8 } from 'node:buffer'
import { completeUtf8 } from '../../csv/encoding.ts'
import { damagedPart } from '../../file-problem.ts'
import { type XmlToken, XmlTokens } from './xml-tokens.ts'
import type { ZipParts } from './zip-parts.ts'

export type XmlPart = { parts: ZipParts; name: string; root?: string }

/**
 * Passes each token of a part to `see`, which may return false when it needs no more. It yields after each piece of the
 * part, so that the caller can pass on what was found.
 */
export async function* readXml(
  { parts, name, root }: XmlPart,
  see: (token: XmlToken, tokens: XmlTokens) => boolean | undefined,
): AsyncGenerator<void> {
  const tokens = new XmlTokens(name, parts.limits)
  for await (const text of inPieces(decodeXml(parts.read(name), name))) {
    tokens.push(text)
    for (let token = tokens.next(); token !== null; token = tokens.next()) {
      if (tokens.depth === 1 && token === 'open' && root !== undefined && tokens.name !== root)
        throw damagedPart(name, ['other_root', root])
      if (see(token, tokens) === false) return
    }
    yield
  }
  tokens.end()
}

/** An unpacked part arrives in larger pieces, and each could point at thousands of long texts. */
async function* inPieces(source: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of source) {
    for (let at = 0; at < text.length; at += pieceSize) yield text.slice(at, at + pieceSize)
  }
}

const pieceSize = 16 * 1024

/** Reads a small part from its first tag to its last. */
export const readCompleteXml = async (
  part: XmlPart,
  see: (token: XmlToken, tokens: XmlTokens) => void,
): Promise<void> => {
  for await (const _ of readXml(part, (token, tokens) => void see(token, tokens)));
}

/** The text of an XML part, in UTF-8 or UTF-16 by its byte order mark; the format allows nothing else. */
async function* decodeXml(bytes: AsyncIterable<Buffer>, part: string): AsyncGenerator<string> {
  let decode: ((chunk: Buffer) => string) | undefined
  for await (const chunk of bytes) {
    decode ??= decoderFor(chunk, part)
    const text = decode(chunk)
    if (text.includes('\0')) throw damagedPart(part, ['nul_inside'])
    if (text.length > 0) yield text
  }
}

const decoderFor = (start: Buffer, part: string): ((chunk: Buffer) => string) => {
  const [first, second] = start
  if (first === 0xff && second === 0xfe) return streamed(new TextDecoder('utf-16le', { fatal: true }), part)
  if (first === 0xfe && second === 0xff) return streamed(new TextDecoder('utf-16be', { fatal: true }), part)
  const declared = /^<\?xml[^>]*encoding=["']([^"']*)/.exec(start.toString('latin1', 0, 200).replace(/^ï»¿/, ''))?.[1]
  if (declared && !/^(utf-?8|us-ascii)$/i.test(declared)) throw undecodable(part)
  return utf8(part)
}

const streamed = (decoder: TextDecoder, part: string) => (chunk: Buffer) => {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw undecodable(part)
  }
}

/** Five times as fast as a TextDecoder that is fed in pieces. */
const utf8 = (part: string) => {
  let rest: Buffer = Buffer.alloc(0)
  let started = false
  return (chunk: Buffer): string => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const end = completeUtf8(bytes)
    rest = bytes.subarray(end)
    const complete = bytes.subarray(0, end)
    if (isAscii(complete)) {
      started = true
      return complete.toString('latin1')
    }
    if (!isUtf8(complete)) throw undecodable(part)
    const text = complete.toString('utf8')
    const hasBom = !started && text.startsWith('\ufeff')
    started = true
    return hasBom ? text.slice(1) : text
  }
}

const undecodable = (part: string) => damagedPart(part, ['not_utf8'])
