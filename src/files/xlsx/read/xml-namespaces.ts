/** The namespaces whose elements a workbook is read from; the later ones are those of ISO 29500 Strict. */
const own = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
])

/** Which prefixes stand for the format's own namespaces in the open elements. */
export class NamespaceScope {
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

  #become(prefixes: Map<string, boolean>): void {
    this.#prefixes = prefixes
    this.#plainIsOwn = prefixes.get('') ?? false
  }
}
