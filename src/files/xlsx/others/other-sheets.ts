import type { Message } from '../../../messages/message.ts'
import { FileProblem, oversizedPart } from '../../file-problem.ts'
import { readNumberFormats } from '../read/number-formats.ts'
import type { XmlPart } from '../read/read-xml.ts'
import { nodesIn, rewriteXml, textInside, toXml, type XmlNode, XmlRewriter } from '../read/rewrite-xml.ts'
import { readRelationships } from '../read/workbook-outline.ts'
import { decodeEntities } from '../read/xml-text.ts'
import type { Workbook } from '../read-workbook.ts'
import { rowXml, textCell } from '../write/cell-xml.ts'
import { contentTypes, sheetPart, type WrittenSheet } from '../write/package-xml.ts'
import { sheetName } from '../write/sheet-xml.ts'
import type { OtherStyles } from '../write/styles-xml.ts'
import { KeptFormulas } from './kept-formulas.ts'
import { type AddPart, expectPlainTable, OtherParts } from './other-parts.ts'
import { prefixesOf, readOtherStyles } from './other-styles.ts'
import { sheetEdit } from './sheet-edit.ts'

/** Sheets of the caller's workbook, to be written after ours as they were. */
export type OtherSheets = {
  /** Null where they cannot be read. */
  styles: OtherStyles | null
  write(add: AddPart, taken: readonly string[]): Promise<OtherContent>
}

/** What the workbook must list: sheets, elements of the workbook itself, and parts that the sheets share. */
type OtherContent = {
  sheets: WrittenSheet[]
  names: string
  calculation: string
  shared: { type: string; target: string }[]
}

type Wish = {
  /** Sheets that do not come back. */
  leavesOut: (name: string) => boolean
  formatMessage: (message: Message) => string
}

type Place = { name: string; given: string; part: string; state: WrittenSheet['state'] }

/**
 * Passes sheets through with their formulas, styles, drawings and comments. Their XML is read as it is copied, under the
 * limits of the reader. A sheet that is damaged comes back as far as it can be read, says so in its last row, and stops
 * no report.
 */
export const openOtherSheets = async (workbook: Workbook, wish: Wish): Promise<OtherSheets> => {
  const { parts, outline } = workbook.source
  let fault: FileProblem | undefined
  const styles = await readOtherStyles(parts, outline.styles).catch((error: unknown) => {
    fault = expectFault(error)
    return null
  })
  return {
    styles,
    async write(add, taken) {
      const places = placesOf(workbook, taken, wish)
      const writer = new SheetWriter(workbook, places, add, wish.formatMessage)
      try {
        if (fault) throw fault
        return await writer.write(styles as OtherStyles, taken.length)
      } catch (error) {
        return writer.explain(expectFault(error), taken.length)
      }
    },
  }
}

/** A name of ours stays; that of a sheet which has it too is changed. A part that is listed twice comes back once. */
const placesOf = ({ sheets }: Workbook, taken: readonly string[], { leavesOut }: Wish): Place[] => {
  const names = [...taken]
  const parts = sheets.map(({ part }) => part.toLowerCase())
  return sheets
    .filter(({ name }, at) => !leavesOut(name) && parts.indexOf(parts[at] as string) === at)
    .map(({ name, part, state }) => {
      const given = sheetName(name, names)
      names.push(given)
      return { name, given, part, state }
    })
}

class SheetWriter {
  readonly #source: Workbook['source']
  readonly #places: readonly Place[]
  readonly #add: AddPart
  readonly #format: Wish['formatMessage']
  readonly #strings: ReturnType<typeof createUsedStrings>
  #written = 0

  constructor({ source }: Workbook, places: readonly Place[], add: AddPart, format: Wish['formatMessage']) {
    this.#source = source
    this.#places = places
    this.#add = add
    this.#format = format
    this.#strings = createUsedStrings(source.parts.limits.sharedStrings)
  }

  async write(styles: OtherStyles, before: number): Promise<OtherContent> {
    const { parts, outline } = this.#source
    const formulas = new KeptFormulas(
      this.#places.filter(({ name, given }) => name === given).map(({ name }) => name),
      await this.#tableNames(),
    )
    const { names, calculation } = await this.#readWorkbookPart(formulas, before)
    const otherParts = new OtherParts({ parts, formulas, add: this.#add })
    const formats1904 = outline.date1904 ? await readNumberFormats(parts, outline.styles) : []
    const shared: OtherContent['shared'] = []
    for (const { part } of this.#places) {
      const kept = await otherParts.keep(part, leadsTo)
      const name = sheetPart(before + this.#written + 1)
      const edit = sheetEdit({
        part,
        formulas,
        ids: new Set(kept.map(({ id }) => id)),
        styles: styles.lists.get('cellXfs')?.length ?? 0,
        formats1904,
        useString: (index) => this.#strings.use(index),
      })
      await this.#addPart(name, this.#sheetXml(new XmlRewriter({ parts, name: part, root: 'worksheet' }, edit)))
      await otherParts.addRelationships(name, kept)
    }
    const theme = outline.theme === undefined ? null : await otherParts.copy(outline.theme, 'theme')
    if (theme !== null) shared.push({ type: 'theme', target: `/${theme}` })
    if (this.#strings.highest >= 0) {
      await this.#add('xl/sharedStrings.xml', contentTypes.strings, this.#stringsXml())
      shared.push({ type: 'sharedStrings', target: 'sharedStrings.xml' })
    }
    return { sheets: this.#listed(), names, calculation, shared }
  }

  /** Where the workbook itself is at fault, each sheet that was not written yet says so. */
  async explain(fault: FileProblem, before: number): Promise<OtherContent> {
    while (this.#written < this.#places.length) {
      const name = sheetPart(before + this.#written + 1)
      await this.#addPart(name, [
        `${declaration}<worksheet xmlns="${main}"><sheetData>${this.#row(fault)}</sheetData></worksheet>`,
      ])
    }
    return { sheets: this.#listed(), names: '', calculation: '', shared: [] }
  }

  #listed(): WrittenSheet[] {
    return this.#places.map(({ given, state }) => ({ name: given, state, filter: null }))
  }

  async #addPart(name: string, xml: AsyncIterable<string> | Iterable<string>): Promise<void> {
    this.#written++
    await this.#add(name, contentTypes.sheet, inBytes(xml))
  }

  async *#sheetXml(rewriter: XmlRewriter): AsyncGenerator<string> {
    yield declaration
    try {
      for await (const _ of rewriter.read()) yield rewriter.take()
      yield rewriter.take()
    } catch (error) {
      yield rewriter.take() + this.#endOf(rewriter, expectFault(error))
    }
  }

  #endOf(rewriter: XmlRewriter, fault: FileProblem): string {
    const [root, inner] = rewriter.open
    if (!root) return `<worksheet xmlns="${main}"><sheetData>${this.#row(fault)}</sheetData></worksheet>`
    const close = inner ? `</${inner.tag}>` : ''
    if (inner?.name === 'sheetData') return `${this.#row(fault)}${close}</${root.tag}>`
    // What is wrong after the last row costs no row.
    if (rewriter.begun.has('sheetData')) return `${close}</${root.tag}>`
    return `${close}<sheetData xmlns="${main}">${this.#row(fault)}</sheetData></${root.tag}>`
  }

  #row({ reason }: FileProblem): string {
    const row = rowXml([textCell(this.#format(reason), 'text', 'attention')])
    return row.replace('<row>', `<row xmlns="${main}">`)
  }

  /** Tables that come back by their names in formulas. */
  async #tableNames(): Promise<string[]> {
    const { parts } = this.#source
    const names: string[] = []
    for (const { part } of this.#places) {
      const all = await readRelationships(parts, part).catch((error) => void expectFault(error))
      for (const { type, target } of all ?? []) {
        if (type === 'table' && parts.has(target)) names.push(...(await readTableName({ parts, name: target })))
      }
    }
    return names
  }

  /** What the workbook itself says of its sheets: names of ranges, and how it calculates. */
  async #readWorkbookPart(formulas: KeptFormulas, before: number): Promise<{ names: string; calculation: string }> {
    const { parts, outline } = this.#source
    const most = parts.limits.definedNames
    const sheets: string[] = []
    const defined: XmlNode[] = []
    let calculation = ''
    const open = (node: XmlNode): XmlNode => {
      if (node.name === 'calcPr') {
        const kept = [...node.attributes].filter(([name]) => calculationAttributes.has(name))
        if (kept.length > 0)
          calculation = toXml({ tag: 'calcPr', name: 'calcPr', attributes: new Map(kept), children: [] })
      }
      return node
    }
    const unit = (node: XmlNode): null => {
      if (node.name === 'sheet') sheets.push(decodeEntities(node.attributes.get('name') ?? '', outline.part))
      if (node.name === 'definedName') defined.push(node)
      if (defined.length > most) throw oversizedPart(outline.part, most, 'texts')
      return null
    }
    for await (const _ of rewriteXml({ parts, name: outline.part, root: 'workbook' }, { depth: 3, open, unit }));
    const places = new Map(this.#places.map(({ name }, at) => [name, before + at]))
    const names = formulas.keepNames(defined.map((node) => nameOf(node, sheets, places)))
    return { names: names.map(({ xml }) => xml).join(''), calculation }
  }

  /** Only texts that the sheets use: the others keep their numbers, but not what they say. */
  async *#stringsXml(): AsyncGenerator<Uint8Array> {
    const { parts, outline } = this.#source
    let count = 0
    let prefixes = ''
    let xml = ''
    const open = (node: XmlNode): XmlNode => {
      prefixes = prefixesOf(node)
      return node
    }
    const unit = (node: XmlNode): null => {
      if (node.name === 'si') xml += this.#strings.has(count++) ? toXml(node) : noText
      return null
    }
    const part = { parts, name: outline.sharedStrings ?? '', root: 'sst' }
    let begin = () => `${declaration}<sst xmlns="${main}"${prefixes}>`
    try {
      for await (const _ of rewriteXml(part, { depth: 2, open, unit })) {
        yield Buffer.from(begin() + xml)
        begin = () => ''
        xml = ''
      }
    } catch (error) {
      expectFault(error)
    }
    xml = begin() + xml
    for (; count <= this.#strings.highest; count++) xml += noText
    yield Buffer.from(`${xml}</sst>`)
  }
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const noText = '<si><t/></si>'
const leadsTo = ['drawing', 'comments', 'vmlDrawing', 'table', 'image', 'hyperlink']
const calculationAttributes = new Set(['calcMode', 'fullPrecision', 'iterate', 'iterateCount', 'iterateDelta'])

/** Nothing of a table that does not come back. */
const readTableName = async (part: XmlPart): Promise<string[]> => {
  const names: string[] = []
  const open = (node: XmlNode, depth: number): XmlNode => {
    expectPlainTable(node, depth)
    if (depth === 1) names.push(node.attributes.get('displayName') ?? '')
    return node
  }
  try {
    for await (const _ of rewriteXml(part, { depth: 3, open, unit: () => null }));
    return names
  } catch (error) {
    expectFault(error)
    return []
  }
}

/** A defined name; lost where it belongs to a sheet that does not come back, or to a macro. */
const nameOf = (node: XmlNode, sheets: readonly string[], places: ReadonlyMap<string, number>) => {
  const name = node.attributes.get('name') ?? ''
  const local = node.attributes.get('localSheetId')
  const place = local === undefined ? undefined : places.get(sheets[Number(local)] ?? '')
  const isMacro = ['function', 'vbProcedure', 'xlm'].some((each) => /^(1|true)$/.test(node.attributes.get(each) ?? ''))
  const isForgotten = local === undefined ? name.startsWith('_xlnm.') : place === undefined
  const attributes = new Map([...node.attributes].filter(([key]) => ['name', 'hidden', 'comment'].includes(key)))
  if (place !== undefined) attributes.set('localSheetId', `${place}`)
  const xml = toXml({ tag: 'definedName', name: 'definedName', attributes, children: node.children })
  return { name, formula: textInside(node), isLost: isMacro || isForgotten || nodesIn(node).length > 0, xml }
}

/** Which shared texts are used, one bit each. */
const createUsedStrings = (most: number) => {
  const bits = new Uint8Array(Math.ceil(most / 8))
  let highest = -1
  return {
    get highest() {
      return highest
    },

    use(index: number): boolean {
      if (!Number.isInteger(index) || index < 0 || index >= most) return false
      bits[index >> 3]! |= 1 << (index & 7)
      highest = Math.max(highest, index)
      return true
    },

    has: (index: number): boolean => (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1,
  }
}

async function* inBytes(xml: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of xml) if (piece !== '') yield Buffer.from(piece)
}

const expectFault = (error: unknown): FileProblem => {
  if (error instanceof FileProblem) return error
  throw error
}
