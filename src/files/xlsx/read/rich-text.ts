import { oversizedPart } from '../../file-problem.ts'
import { trimXmlSpace, unescapeCharacters } from './xml-text.ts'
import type { XmlToken, XmlTokens } from './xml-tokens.ts'

/**
 * A text that may consist of runs with different formats: they are joined. Its pronunciation (`rPh`, in Japanese files)
 * is not part of it.
 */
export class RichText {
  text = ''
  readonly #most: number
  readonly #part: string
  #run = ''
  #inRun = false
  #keepsSpace = false
  /** The depth of the pronunciation that is being skipped, or 0. */
  #skips = 0

  constructor(most: number, part: string) {
    this.#most = most
    this.#part = part
  }

  clear(): void {
    this.text = ''
    this.#inRun = false
    this.#skips = 0
  }

  see(token: XmlToken, tokens: XmlTokens): void {
    if (token === 'text') {
      if (this.#inRun) this.#extend(tokens.text)
    } else if (tokens.name === 't') {
      if (token === 'close') this.#endRun()
      else if (this.#skips === 0) this.#beginRun(tokens)
    } else if (tokens.name === 'rPh') {
      if (token === 'open') this.#skips ||= tokens.depth
      else if (this.#skips === tokens.depth) this.#skips = 0
    }
  }

  #beginRun(tokens: XmlTokens): void {
    this.#inRun = true
    this.#run = ''
    this.#keepsSpace = tokens.attribute('xml:space') === 'preserve'
  }

  /** One character may be written as the seven of `_x000D_`. */
  #extend(text: string): void {
    this.#run += text
    if (this.#run.length > this.#most * 7) throw oversizedPart(this.#part, this.#most, 'cell_characters')
  }

  #endRun(): void {
    if (!this.#inRun) return
    this.#inRun = false
    this.text += unescapeCharacters(this.#keepsSpace ? this.#run : trimXmlSpace(this.#run))
    if (this.text.length > this.#most) throw oversizedPart(this.#part, this.#most, 'cell_characters')
  }
}
