import { damagedPart, FileProblem, oversizedPart } from '../../file-problem.ts'
import type { WorkbookLimits } from './workbook-limits.ts'
import { attributeIn, attributesIn, decodeEntities, pickAttributes } from './xml-text.ts'

export type XmlToken = 'open' | 'close' | 'text'

/**
 * Splits XML into tags and text, as it arrives in pieces. A million rows are thirty million tokens: saxes took twice as
 * long with its namespaces, and sets no limit for a tag. It is strict where that costs nothing: tags must match, and a
 * document type is refused.
 *
 * After `next()` returned a token, `name`, `depth`, `text` and `attribute()` describe it. The root has depth 1.
 */
export class XmlTokens {
  /** The name without its prefix; empty where the element belongs to another namespace than the part's own. */
  name = ''
  text = ''
  /** The text as it may be written again: with its entities. */
  raw = ''
  depth = 0
  readonly #part: string
  readonly #limits: WorkbookLimits
  readonly #scope = new NamespaceScope()
  #source = ''
  #at = 0
  /** The open elements: names as they are written, and as `name` gave them. */
  readonly #written: string[] = []
  readonly #names: string[] = []
  #attributes = ''
  #closesItself = false
  #closed = false
  #rooted = false

  constructor(part: string, limits: WorkbookLimits) {
    this.#part = part
    this.#limits = limits
  }

  push(text: string): void {
    this.#source = this.#at < this.#source.length ? this.#source.slice(this.#at) + text : text
    this.#at = 0
  }

  /** The next token, or null where more text is needed. */
  next(): XmlToken | null {
    if (this.#closed) this.#leave()
    if (this.#closesItself) return this.#close()
    for (;;) {
      const from = this.#at
      const tag = this.#source.indexOf('<', from)
      if (tag < 0) return this.#wait()
      if (tag > from) return this.#readText(from, tag)
      const sign = this.#source.charCodeAt(tag + 1)
      if (sign === slash) return this.#readClose(tag)
      if (sign !== exclamation && sign !== question) return this.#readOpen(tag)
      const found = this.#skipOrCdata(tag)
      if (found !== 'skipped') return found
    }
  }

  /** The name as it is written, with its prefix. */
  get tag(): string {
    return this.#written[this.depth - 1] ?? ''
  }

  /** Whether a prefix stands for a namespace, which need not be the format's own. */
  declares(prefix: string): boolean {
    return this.#scope.declares(prefix)
  }

  /** Throws if the text ended before the root was closed. */
  end(): void {
    if (!this.#rooted || this.#written.length > (this.#closed ? 1 : 0)) throw damagedPart(this.#part, ['ends_early'])
  }

  attribute(name: string): string | undefined {
    const value = attributeIn(this.#attributes, name, this.#part)
    return value === undefined ? undefined : decodeEntities(value, this.#part)
  }

  /** Some attributes as they are written, in the order of `names`. */
  pick(names: readonly string[], into: (string | undefined)[]): void {
    pickAttributes(this.#attributes, names, into, this.#part)
  }

  /** The attributes of an open tag as they are written; names keep their prefixes. */
  attributes(): Map<string, string> {
    return attributesIn(this.#attributes, this.#part)
  }

  #readText(from: number, to: number): XmlToken {
    this.#at = to
    this.raw = this.#source.slice(from, to)
    this.text = decodeEntities(this.raw, this.#part)
    return 'text'
  }

  #readOpen(tag: number): XmlToken | null {
    const nameEnd = this.#nameEnd(tag + 1)
    const end = this.#tagEnd(nameEnd)
    if (end < 0) return this.#wait()
    this.#closesItself = this.#source.charCodeAt(end - 1) === slash
    this.#attributes = this.#source.slice(nameEnd, this.#closesItself ? end - 1 : end)
    this.#at = end + 1
    return this.#enter(this.#source.slice(tag + 1, nameEnd))
  }

  #enter(written: string): XmlToken {
    if (written === '' || (this.#rooted && this.depth === 0)) throw damagedPart(this.#part, ['tags_unmatched'])
    this.#rooted = true
    this.depth = this.#written.push(written)
    if (this.depth > this.#limits.xmlDepth) throw oversizedPart(this.#part, this.#limits.xmlDepth, 'levels')
    if (this.#attributes.includes('xmlns')) this.#scope.enter(this.depth, this.attributes())
    this.name = this.#scope.localName(written)
    this.#names.push(this.name)
    return 'open'
  }

  #readClose(tag: number): XmlToken | null {
    const written = this.#written[this.#written.length - 1]
    if (written === undefined) throw damagedPart(this.#part, ['tags_unmatched'])
    let end = tag + 2 + written.length
    if (this.#source.charCodeAt(end) !== greater) end = this.#source.indexOf('>', tag)
    if (end < 0 || end >= this.#source.length) return this.#wait()
    if (!this.#source.startsWith(written, tag + 2) || this.#source.slice(tag + 2 + written.length, end).trim() !== '')
      throw damagedPart(this.#part, ['tags_unmatched'])
    this.#at = end + 1
    return this.#close()
  }

  /** The element is closed only when the next token is requested, so that its depth can be read. */
  #close(): XmlToken {
    this.#closesItself = false
    this.#closed = true
    this.depth = this.#written.length
    this.name = this.#names[this.depth - 1] as string
    return 'close'
  }

  #leave(): void {
    this.#closed = false
    this.#scope.leave(this.depth)
    this.#written.pop()
    this.#names.pop()
    this.depth = this.#written.length
  }

  #skipOrCdata(tag: number): XmlToken | 'skipped' | null {
    const source = this.#source
    if (source.length - tag < cdata.length) return this.#wait()
    if (source.startsWith(cdata, tag)) {
      const end = source.indexOf(']]>', tag)
      if (end < 0) return this.#wait()
      this.text = source.slice(tag + cdata.length, end)
      this.raw = this.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      this.#at = end + 3
      return 'text'
    }
    const [close, length] = source.startsWith('<!--', tag) ? ['-->', 4] : ['?>', 2]
    if (length === 2 && source.charCodeAt(tag + 1) === exclamation) throw new FileProblem(['forbidden_xml', this.#part])
    const end = source.indexOf(close, tag + length)
    if (end < 0) return this.#wait()
    this.#at = end + close.length
    return 'skipped'
  }

  #nameEnd(from: number): number {
    for (let at = from; ; at++) {
      const code = this.#source.charCodeAt(at)
      if (!(code > space) || code === greater || code === slash) return at
    }
  }

  /** Where the `>` of a tag stands, or -1: one inside quotes does not count. */
  #tagEnd(from: number): number {
    const source = this.#source
    let quote = 0
    let quotes = 0
    for (let at = from; at < source.length; at++) {
      const code = source.charCodeAt(at)
      if (quote !== 0) {
        if (code === quote) quote = 0
        continue
      }
      if (code === greater) return at
      if (code !== doubleQuote && code !== singleQuote) continue
      quote = code
      if (++quotes > this.#limits.xmlAttributes)
        throw oversizedPart(this.#part, this.#limits.xmlAttributes, 'tag_attributes')
    }
    return -1
  }

  #wait(): null {
    if (this.#source.length - this.#at > this.#limits.xmlToken)
      throw oversizedPart(this.#part, this.#limits.xmlToken, 'token_characters')
    return null
  }
}

/** Which prefixes stand for the format's own namespaces in the open elements. */
class NamespaceScope {
  #prefixes = new Map<string, boolean>()
  #plainIsOwn = false
  readonly #outer: { depth: number; prefixes: Map<string, boolean> }[] = []

  enter(depth: number, attributes: Map<string, string>): void {
    const declared = [...attributes].filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
    if (declared.length === 0) return
    this.#outer.push({ depth, prefixes: this.#prefixes })
    const added = declared.map(([name, address]): [string, boolean] => [name.slice('xmlns:'.length), own.has(address)])
    this.#become(new Map([...this.#prefixes, ...added]))
  }

  leave(depth: number): void {
    if (this.#outer.at(-1)?.depth !== depth) return
    this.#become((this.#outer.pop() as { prefixes: Map<string, boolean> }).prefixes)
  }

  /** The name without its prefix, or nothing where the element is of a foreign namespace. */
  localName(written: string): string {
    const colon = written.indexOf(':')
    if (colon < 0) return this.#plainIsOwn ? written : ''
    return this.#prefixes.get(written.slice(0, colon)) ? written.slice(colon + 1) : ''
  }

  declares(prefix: string): boolean {
    return prefix === 'xml' || this.#prefixes.has(prefix)
  }

  #become(prefixes: Map<string, boolean>): void {
    this.#prefixes = prefixes
    this.#plainIsOwn = prefixes.get('') ?? false
  }
}

/** The namespaces whose elements a workbook is read from; the later ones are those of ISO 29500 Strict. */
const own = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
])

const cdata = '<![CDATA['
const slash = 0x2f
const greater = 0x3e
const exclamation = 0x21
const question = 0x3f
const space = 0x20
const doubleQuote = 0x22
const singleQuote = 0x27
