import { isAscii } from 'node:buffer'
import { byteOrderMark, byteOrderMarks, StrictText } from '../../csv/encoding.ts'
import { damagedPart, FileProblem } from '../../file-problem.ts'
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
  let text: StrictText | undefined
  for await (const chunk of bytes) {
    const { encoding, bom } = text ? unmarked : (byteOrderMark(chunk) ?? unmarked)
    if (!text && encoding === 'utf-8') expectUtf8(chunk, part)
    text ??= new StrictText(encoding)
    const utf8 = decode(text, bom ? chunk.subarray(byteOrderMarks[encoding].length) : chunk, part)
    if (utf8.length > 0) yield utf8.toString(isAscii(utf8) ? 'latin1' : 'utf8')
  }
}

const unmarked = { encoding: 'utf-8', bom: false } as const

const expectUtf8 = (start: Buffer, part: string): void => {
  const declared = /^(?:ï»¿)?<\?xml[^>]*encoding=["']([^"']*)/.exec(start.toString('latin1', 0, 200))?.[1]
  if (declared && !/^(utf-?8|us-ascii)$/i.test(declared)) throw damagedPart(part, ['not_utf8'])
}

const decode = (text: StrictText, bytes: Buffer, part: string): Buffer => {
  try {
    return text.push(bytes)
  } catch (problem) {
    throw damagedPart(part, [problem instanceof FileProblem && problem.code === 'nul' ? 'nul_inside' : 'not_utf8'])
  }
}
