import type { Message } from '../../../messages/message.ts'
import { damagedPart, oversizedPart } from '../../file-problem.ts'
import { readXml, type XmlPart } from './read-xml.ts'
import { decodeEntities } from './xml-text.ts'
import type { XmlToken, XmlTokens } from './xml-tokens.ts'

/** An element with all that it holds: attributes and texts as they may be written again. `name` has no prefix. */
export type XmlNode = { tag: string; name: string; attributes: Map<string, string>; children: (XmlNode | string)[] }

/** How a part is changed while it is copied. What an edit returns null for is left out. */
export type XmlEdit = {
  /** Elements of this depth are passed to `unit` complete; those above them only begin and end. */
  depth: number
  /** Changes the begin of an element above the units. */
  open?: (node: XmlNode, depth: number) => XmlNode | null
  unit: (node: XmlNode, inside: string) => XmlNode | null
}

/**
 * Copies a part of a workbook in constant memory, one unit at a time. What comes out is well-formed whatever came in: a
 * single part that is not would make the complete workbook unreadable.
 */
export async function* rewriteXml(part: XmlPart, edit: XmlEdit): AsyncGenerator<string> {
  const rewriter = new XmlRewriter(part, edit)
  for await (const _ of rewriter.read()) yield rewriter.take()
  yield rewriter.take()
}

type Container = { node: XmlNode; isWritten: boolean; hasLost: boolean }

/** `take` gives what is finished; after a fault `open` is what remains to be ended. */
export class XmlRewriter {
  readonly #part: XmlPart
  readonly #edit: XmlEdit
  readonly #containers: Container[] = []
  /** The open elements of the unit that is being read. */
  readonly #nodes: XmlNode[] = []
  /** Names of the elements above the units that were begun. */
  readonly begun = new Set<string>()
  #size = 0
  #out = ''
  /** The depth of the element that is being left out, or 0. */
  #skips = 0

  constructor(part: XmlPart, edit: XmlEdit) {
    this.#part = part
    this.#edit = edit
  }

  read(): AsyncGenerator<void> {
    return readXml(this.#part, (token, tokens) => void this.#see(token, tokens))
  }

  take(): string {
    const out = this.#out
    this.#out = ''
    return out
  }

  /** The elements that were begun and not ended, from the outermost one. */
  get open(): XmlNode[] {
    return this.#containers.filter(({ isWritten }) => isWritten).map(({ node }) => node)
  }

  #see(token: XmlToken, tokens: XmlTokens): void {
    if (this.#skips > 0) {
      if (token === 'close' && tokens.depth === this.#skips) this.#skips = 0
    } else if (token === 'open') this.#begin(nodeOf(tokens, this.#part.name), tokens.depth)
    else if (token === 'close') this.#nodes.length > 0 ? this.#endNode() : this.#endContainer()
    else if (this.#nodes.length > 0) this.#addText(tokens.raw)
  }

  #begin(node: XmlNode, depth: number): void {
    if (depth < this.#edit.depth) {
      const edited = this.#edit.open ? this.#edit.open(node, depth) : node
      if (edited) this.#containers.push({ node: edited, isWritten: false, hasLost: false })
      else this.#lose(depth)
      return
    }
    this.#grow(nodeSize + node.attributes.size * attributeSize)
    this.#nodes.at(-1)?.children.push(node)
    this.#nodes.push(node)
  }

  #addText(raw: string): void {
    expectCharacters(raw, this.#part.name)
    this.#grow(raw.length)
    this.#nodes.at(-1)?.children.push(raw)
  }

  #endNode(): void {
    const node = this.#nodes.pop() as XmlNode
    if (this.#nodes.length > 0) return
    this.#size = 0
    const inside = this.#containers.at(-1)
    const edited = this.#edit.unit(node, inside?.node.name ?? '')
    if (edited) this.#writeOpen(toXml(edited))
    else if (inside) inside.hasLost = true
  }

  /** A list that lost everything is left out too: most lists of the format may not be empty. */
  #endContainer(): void {
    const { node, isWritten, hasLost } = this.#containers.pop() as Container
    const outer = this.#containers.at(-1)
    if (isWritten) this.#out += `</${node.tag}>`
    else if (hasLost && outer) outer.hasLost = true
    else {
      this.#writeOpen(toXml(node))
      this.begun.add(node.name)
    }
  }

  #writeOpen(xml: string): void {
    for (const container of this.#containers) {
      this.begun.add(container.node.name)
      if (!container.isWritten) this.#out += `<${container.node.tag}${attributesXml(container.node)}>`
      container.isWritten = true
    }
    this.#out += xml
  }

  #lose(depth: number): void {
    this.#skips = depth
    const outer = this.#containers.at(-1)
    if (outer) outer.hasLost = true
  }

  #grow(size: number): void {
    this.#size += size
    const { parts, name } = this.#part
    if (this.#size > parts.limits.xmlUnit) throw oversizedPart(name, parts.limits.xmlUnit, 'bytes_of_text')
  }
}

/** What an element and an attribute take in memory besides their texts, about. */
const nodeSize = 50
const attributeSize = 20

export const toXml = (node: XmlNode): string => {
  const begin = `<${node.tag}${attributesXml(node)}`
  if (node.children.length === 0) return `${begin}/>`
  let inner = ''
  for (const child of node.children) inner += typeof child === 'string' ? child : toXml(child)
  return `${begin}>${inner}</${node.tag}>`
}

/** The text of an element without its markup. */
export const textInside = (node: XmlNode): string =>
  node.children
    .map((child) => (typeof child === 'string' ? decodeEntities(child, node.tag) : textInside(child)))
    .join('')

/** The elements inside of an element, without the texts between them. */
export const nodesIn = (node: XmlNode): XmlNode[] => node.children.filter((child) => typeof child !== 'string')

const attributesXml = ({ attributes }: XmlNode): string => {
  let xml = ''
  for (const [name, value] of attributes) xml += ` ${name}="${value}"`
  return xml
}

const nodeOf = (tokens: XmlTokens, part: string): XmlNode => {
  const { tag } = tokens
  const attributes = tokens.attributes()
  expectName(tag, tokens, part)
  for (const [name, raw] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) expectName(name, tokens, part)
    else if (!plainName.test(name) || raw === '') throw malformed(part)
    if (raw.includes('<')) throw malformed(part)
    expectCharacters(raw, part)
    const value = name.startsWith('xmlns') ? transitional(raw) : raw
    if (prefixLists.test(name)) expectPrefixes(value, tokens, part)
    attributes.set(name, value.replaceAll('"', '&quot;'))
  }
  return { tag, name: tag.slice(tag.indexOf(':') + 1), attributes, children: [] }
}

/** The strict dialect differs in its addresses; one workbook has one dialect. */
const transitional = (address: string): string =>
  address.replace(/^http:\/\/purl\.oclc\.org\/ooxml\/(\w+)\//, 'http://schemas.openxmlformats.org/$1/2006/')

const expectName = (name: string, tokens: XmlTokens, part: string): void => {
  const [prefix, ...rest] = name.split(':')
  if (!plainName.test(name) || rest.length > 1) throw malformed(part)
  if (rest.length === 1 && !tokens.declares(prefix as string)) throw malformed(part)
}

/** `mc:Ignorable` and its relatives name prefixes in their value. */
const prefixLists = /^(\w+:)?(Ignorable|Requires|MustUnderstand|ProcessContent)$/

const expectPrefixes = (value: string, tokens: XmlTokens, part: string): void => {
  for (const each of value.split(/\s+/)) {
    if (each !== '' && !tokens.declares(each.split(':')[0] as string)) throw malformed(part)
  }
}

/** XML allows more; no program writes a workbook with more. */
const plainName = /^[A-Za-z_][\w.-]*(:[A-Za-z_][\w.-]*)?$/

/** What XML cannot hold, not even by number. */
const expectCharacters = (raw: string, part: string): void => {
  if (forbidden.test(raw) || raw.includes(']]>')) throw malformed(part)
  if (raw.includes('&') && forbidden.test(decodeEntities(raw, part))) throw malformed(part)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

const fault: Message = ['tag_malformed']
const malformed = (part: string) => damagedPart(part, fault)
