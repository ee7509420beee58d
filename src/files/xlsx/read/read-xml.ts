import { WorkbookProblem } from '../workbook-problem.ts'
import { decodeXml } from './decode-xml.ts'
import type { WorkbookLimits } from './workbook-limits.ts'
import { type XmlToken, XmlTokens } from './xml-tokens.ts'
import type { ZipParts } from './zip-parts.ts'

export type XmlPart = { parts: ZipParts; name: string; root?: string; limits: WorkbookLimits }

/**
 * Passes each token of a part to `see`, which may return false when it needs no more. It yields after each piece of the
 * part, so that the caller can pass on what was found.
 */
export async function* readXml(
  { parts, name, root, limits }: XmlPart,
  see: (token: XmlToken, tokens: XmlTokens) => boolean | undefined,
): AsyncGenerator<void> {
  const tokens = new XmlTokens(name, limits)
  for await (const text of inPieces(decodeXml(parts.read(name), name))) {
    tokens.push(text)
    for (let token = tokens.next(); token !== null; token = tokens.next()) {
      if (tokens.depth === 1 && token === 'open' && root !== undefined && tokens.name !== root)
        throw new WorkbookProblem(['workbook_damaged', name, ['other_root', root]])
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
