import { damagedPart, FileProblem, oversizedPart } from '../../file-problem.ts'
import { nodesIn, rewriteXml, textInside, type XmlEdit, type XmlNode } from '../read/rewrite-xml.ts'
import { readRelationships } from '../read/workbook-outline.ts'
import type { ZipParts } from '../read/zip-parts.ts'
import { contentTypes, relationshipsXml } from '../write/package-xml.ts'
import type { KeptFormulas } from './kept-formulas.ts'

/** Writes a part of the package; one without a type belongs to another part. */
export type AddPart = (
  name: string,
  type: string | null,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
) => Promise<void>

/** A relationship that comes back: its part has a name of ours, or it is a link. */
type KeptRelationship = { id: string; type: string; target: string; external?: boolean }

type PartSource = { parts: ZipParts; formulas: KeptFormulas; add: AddPart }

/**
 * Copies what sheets refer to: drawings with their charts and pictures, comments, tables. Only kinds that are listed here
 * come back, each part once and under a name of ours, so no name of the file can reach outside of the package.
 */
export class OtherParts {
  readonly #source: PartSource
  /** Our name of each part that was copied; null for one that cannot be. */
  readonly #names = new Map<string, string | null>()

  constructor(source: PartSource) {
    this.#source = source
  }

  /** The relationships of a part that come back, after the parts that they lead to. */
  async keep(part: string, types: readonly string[]): Promise<KeptRelationship[]> {
    const { parts, formulas } = this.#source
    const all = await readRelationships(parts, part).catch(ignoreFault([]))
    const kept: KeptRelationship[] = []
    for (const { id, type, target, external } of all) {
      if (!types.includes(type) || !plainId.test(id) || kept.some((one) => one.id === id)) continue
      if (external) {
        if (type === 'hyperlink' && website.test(target)) kept.push({ id, type, target, external })
      } else if (target.startsWith('#')) {
        if (type === 'hyperlink' && formulas.keeps(target.slice(1))) kept.push({ id, type, target })
      } else {
        const name = await this.copy(target, type)
        if (name !== null) kept.push({ id, type, target: `/${name}` })
      }
    }
    // Comments and their frames come back together: a program that finds one alone calls the file damaged.
    const isAlone = notes.some((note) => !kept.some(({ type }) => type === note))
    return isAlone ? kept.filter(({ type }) => !notes.includes(type)) : kept
  }

  /** Our name of a part once it is copied; null where it does not come back. */
  async copy(part: string, type: string): Promise<string | null> {
    const key = `${type} ${part.toLowerCase()}`
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const name = this.#source.parts.has(part) ? await this.#copyNew(part, type).catch(ignoreFault(null)) : null
    this.#names.set(key, name)
    return name
  }

  async #copyNew(part: string, type: string): Promise<string | null> {
    if (type === 'image') return this.#copyImage(part)
    const kind = Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : undefined
    if (!kind) return null
    const kept = await this.keep(part, kind.leadsTo)
    const edit = kind.edit({ formulas: this.#source.formulas, ids: new Set(kept.map(({ id }) => id)) })
    const xml = await this.#rewritten(part, edit)
    const name = this.#newName(type === 'vmlDrawing' ? 'vml' : 'xml')
    await this.#source.add(name, kind.contentType, [Buffer.from(xml)])
    await this.addRelationships(name, kept)
    return name
  }

  async addRelationships(name: string, kept: readonly KeptRelationship[]): Promise<void> {
    if (kept.length === 0) return
    const own = name.replace(/([^/]+)$/, '_rels/$1.rels')
    await this.#source.add(own, null, [Buffer.from(relationshipsXml(kept))])
  }

  async #copyImage(part: string): Promise<string | null> {
    const ending = part.split('.').at(-1)?.toLowerCase() ?? ''
    const contentType = Object.hasOwn(imageTypes, ending) ? imageTypes[ending as keyof typeof imageTypes] : undefined
    if (!contentType) return null
    const name = this.#newName(ending)
    await this.#source.add(name, contentType, untilFault(this.#source.parts.read(part)))
    return name
  }

  async #rewritten(part: string, edit: XmlEdit): Promise<string> {
    const { parts } = this.#source
    const most = parts.limits.copiedPart
    let xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    for await (const piece of rewriteXml({ parts, name: part }, edit)) {
      xml += piece
      if (xml.length > most) throw oversizedPart(part, most, 'bytes_of_text')
    }
    return xml
  }

  #newName(ending: string): string {
    return `xl/others/part${this.#names.size + 1}.${ending}`
  }
}

/** What an element is judged by: formulas that come back, and relationships of its part that do. */
export type Kept = { formulas: KeptFormulas; ids: ReadonlySet<string> }

/**
 * Whether an element may come back. What must not is taken out where the rest makes sense without it; otherwise the
 * complete element is lost.
 */
export const prune = (node: XmlNode, kept: Kept): boolean => {
  if (lost.has(node.name)) return false
  for (const [name, value] of node.attributes) {
    if (relationshipIds.test(name) && !kept.ids.has(value)) return false
    if (name === 'macro') node.attributes.set(name, '')
    if (name === 'textlink' && !kept.formulas.keeps(value)) node.attributes.delete(name)
  }
  if (formulaNames.has(node.name) && !kept.formulas.keeps(textInside(node))) return false
  let isComplete = true
  node.children = node.children.filter((child) => {
    if (typeof child === 'string' || prune(child, kept)) return true
    isComplete &&= removable.has(child.name)
    return false
  })
  return isComplete
}

const relationshipIds = /^\w+:(id|embed|link|pict|dm|lo|qs|cs|relid|blip)$/
const formulaNames = new Set('f formula formula1 formula2 sqref calculatedColumnFormula totalsRowFormula'.split(' '))
const removable = new Set(
  'hlinkClick hlinkHover ext cat userShapes legacyDrawingHF calculatedColumnFormula totalsRowFormula pivotFmts pivotSelection'.split(
    ' ',
  ),
)
/** They need a macro, a control, a pivot table or another file, none of which comes back. */
const lost = new Set(
  'control oleObject externalData pivotSource pivotFmts pivotSelection FmlaMacro FmlaLink FmlaRange slicerList timelineRefs'.split(
    ' ',
  ),
)

const pruned =
  (depth: number, change: (node: XmlNode, kept: Kept) => boolean = prune) =>
  (kept: Kept): XmlEdit => ({ depth, unit: (node) => (change(node, kept) ? node : null) })

/** Without this element the part would not be valid, and does not come back. */
const withIts =
  (essential: string, change: (node: XmlNode, kept: Kept) => boolean = prune) =>
  (kept: Kept): XmlEdit => ({
    depth: 2,
    unit(node) {
      if (change(node, kept)) return node
      if (node.name === essential) throw damagedPart(node.tag, ['part_missing'])
      return null
    },
  })

/** Shapes of old kinds: only the frames of comments come back. */
const isNote = (node: XmlNode, kept: Kept): boolean =>
  prune(node, kept) &&
  (node.name !== 'shape' ||
    nodesIn(node).some(({ name, attributes }) => name === 'ClientData' && attributes.get('ObjectType') === 'Note'))

const plainTable = (kept: Kept): XmlEdit => ({
  ...pruned(3)(kept),
  open(node, depth) {
    expectPlainTable(node, depth)
    return node
  },
})

/** A table that is filled from elsewhere would need its query. */
export const expectPlainTable = (node: XmlNode, depth: number): void => {
  if (depth === 1 && (node.attributes.get('tableType') ?? 'worksheet') !== 'worksheet')
    throw damagedPart(node.tag, ['part_missing'])
}

const kinds = {
  drawing: { contentType: contentTypes.drawing, leadsTo: ['image', 'chart', 'hyperlink'], edit: pruned(2) },
  chart: {
    contentType: contentTypes.chart,
    leadsTo: ['image'],
    edit: withIts('chart', (node, kept) => {
      literalChart(node, kept.formulas)
      return prune(node, kept)
    }),
  },
  comments: { contentType: contentTypes.comments, leadsTo: [], edit: pruned(3) },
  vmlDrawing: { contentType: contentTypes.vml, leadsTo: [], edit: pruned(2, isNote) },
  table: { contentType: contentTypes.table, leadsTo: [], edit: plainTable },
  theme: { contentType: contentTypes.theme, leadsTo: [], edit: withIts('themeElements') },
} satisfies Record<string, { contentType: string; leadsTo: readonly string[]; edit: (kept: Kept) => XmlEdit }>

const imageTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  emf: 'image/x-emf',
  wmf: 'image/x-wmf',
}

const notes = ['comments', 'vmlDrawing']
const plainId = /^[\w.-]{1,255}$/
/** Other links open files or start programs. */
const website = /^(https?:\/\/|mailto:)/i

/** A picture that is damaged comes back as far as it can be read. */
async function* untilFault(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
  }
}

const ignoreFault =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof FileProblem) return instead
    throw error
  }

/** Writes figures and texts of a chart whose cells do not come back into the chart itself, as they were last shown. */
const literalChart = (node: XmlNode, formulas: KeptFormulas, parent = ''): void => {
  node.children = node.children.map((child) => {
    if (typeof child === 'string') return child
    const formula = nodesIn(child).find(({ name }) => name === 'f')
    const isLost = formula !== undefined && !formulas.keeps(textInside(formula))
    if (isLost && (child.name === 'numRef' || child.name === 'strRef')) return literal(child, node.name, parent)
    literalChart(child, formulas, node.name)
    return child
  })
}

/** The same content under another name, but for a title, which is one text. */
const literal = (reference: XmlNode, inside: string, parent: string): XmlNode => {
  const prefix = reference.tag.slice(0, -reference.name.length)
  const named = (name: string, children: XmlNode['children']): XmlNode => ({
    tag: `${prefix}${name}`,
    name,
    attributes: new Map(),
    children,
  })
  const cache = nodesIn(reference).find(({ name }) => name === 'numCache' || name === 'strCache')
  if (inside !== 'tx') {
    const count = { ...named('ptCount', []), attributes: new Map([['val', '0']]) }
    return named(reference.name === 'numRef' ? 'numLit' : 'strLit', cache?.children ?? [count])
  }
  const values = cache ? nodesIn(cache).flatMap((point) => nodesIn(point).filter(({ name }) => name === 'v')) : []
  const text = values[0]?.children ?? []
  if (parent === 'ser') return named('v', text)
  const drawn = (name: string, children: XmlNode['children']): XmlNode => ({
    tag: `a:${name}`,
    name,
    attributes: new Map([['xmlns:a', 'http://schemas.openxmlformats.org/drawingml/2006/main']]),
    children,
  })
  return named('rich', [drawn('bodyPr', []), drawn('p', [drawn('r', [drawn('t', text)])])])
}
