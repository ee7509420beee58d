import { FileProblem } from '../../file-problem.ts'
import { readXml } from './read-xml.ts'
import { decodeEntities } from './xml-text.ts'
import type { XmlToken, XmlTokens } from './xml-tokens.ts'
import type { ZipParts } from './zip-parts.ts'

/** Bytes of a part that is not XML, or not to its end. */
type PartBytes = { part: string }

/**
 * Everything that a workbook says in its XML, in any of its parts: texts, attributes, and texts that formats divide. Cells
 * are there too, but not as a person sees them: their numbers have no format.
 */
export async function* readPartTexts(parts: ZipParts): AsyncGenerator<string[] | PartBytes> {
  for (const name of parts.names()) {
    const texts = new PartTexts()
    try {
      for await (const _ of readXml({ parts, name }, (token, tokens) => void texts.see(token, tokens, name)))
        yield texts.found.splice(0)
      yield texts.found
    } catch (problem) {
      if (!(problem instanceof FileProblem)) throw problem
      yield { part: name }
    }
  }
}

class PartTexts {
  readonly found: string[] = []
  /** The paragraph so far, or null outside of one. */
  #joined: string | null = null

  see(token: XmlToken, tokens: XmlTokens, part: string): void {
    if (token === 'text') this.#addText(tokens.text)
    else this.#seeTag(token === 'open', tokens.tag)
    // Of a sheet's many cells the attributes are places and styles.
    if (token !== 'open' || tokens.name === 'c' || tokens.name === 'row') return
    for (const value of tokens.attributes().values()) this.found.push(decodeEntities(value, part))
  }

  #addText(text: string): void {
    this.found.push(text)
    if (/^\s*\d\.?\d*E\+?\d+\s*$/i.test(text)) this.found.push(String(Number(text)))
    if (this.#joined !== null && this.#joined.length < longest) this.#joined += text
  }

  #seeTag(opens: boolean, tag: string): void {
    if (!paragraphs.has(tag.slice(tag.indexOf(':') + 1))) return
    if (this.#joined) this.found.push(this.#joined)
    this.#joined = opens ? '' : null
  }
}

/** Elements whose text is divided into runs: of shared texts, cells, comments, drawings and old shapes. */
const paragraphs = new Set(['si', 'is', 'text', 'p', 'div'])
const longest = 100_000
