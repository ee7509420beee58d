import { damagedPart } from '../../file-problem.ts'
import { columnOf } from '../cell-type.ts'
import type { NumberFormat } from '../read/number-formats.ts'
import { nodesIn, textInside, type XmlEdit, type XmlNode } from '../read/rewrite-xml.ts'
import { otherStyleNumber } from '../write/styles-xml.ts'
import { type Kept, prune } from './other-parts.ts'

/** What the cells of the caller's sheets need of the rest of the workbook. */
export type SheetSource = Kept & {
  part: string
  /** How many styles there are. */
  styles: number
  /** Where days are counted from 1904: how each style shows a number. */
  formats1904: readonly NumberFormat[]
  /** False where there can be no such text. */
  useString(index: number): boolean
}

/** A sheet as it was, but for formulas that lose their cells, and elements that need what does not come back. */
export const sheetEdit = (source: SheetSource): XmlEdit => {
  const cells = new SheetCells(source)
  let hasView = false
  return {
    depth: 3,
    open(node, depth) {
      if (depth === 1) return node
      if (!elements.has(node.name)) return null
      if (node.name === 'pageSetup')
        for (const name of node.attributes.keys()) if (name.endsWith(':id')) node.attributes.delete(name)
      if (node.name === 'dataValidations' || node.name === 'tableParts') node.attributes.delete('count')
      return prune(node, source) ? node : null
    },
    unit(node, inside) {
      switch (inside) {
        case 'sheetData':
          return cells.row(node)
        case 'cols':
          return cells.restyled(node, 'style')
        case 'sheetViews': {
          if (hasView) return null
          hasView = true
          node.attributes.delete('tabSelected')
          node.attributes.set('workbookViewId', '0')
          return prune(node, source) ? node : null
        }
        case 'hyperlinks': {
          const place = node.attributes.get('location')
          return prune(node, source) && (place === undefined || source.formulas.keeps(place)) ? node : null
        }
        case 'extLst': {
          const [content] = nodesIn(node)
          return content && extensions.has(content.name) && prune(node, source) ? node : null
        }
        default:
          return prune(node, source) ? node : null
      }
    },
  }
}

/** The elements of a sheet that come back, in any order: they keep the one that they have. */
const elements = new Set(
  `sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetProtection protectedRanges autoFilter sortState mergeCells
   phoneticPr conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks
   colBreaks ignoredErrors drawing legacyDrawing picture tableParts extLst`.split(/\s+/),
)

/** What newer versions of Excel added to sheets: richer conditional formats and validations, and small charts in cells. */
const extensions = new Set(['conditionalFormattings', 'dataValidations', 'sparklineGroups', 'ignoredErrors'])

class SheetCells {
  readonly #source: SheetSource
  /** Formulas that several cells share, by their numbers: those that came back with their first cell. */
  readonly #shared = new Set<string>()
  #row = 0

  constructor(source: SheetSource) {
    this.#source = source
  }

  row(node: XmlNode): XmlNode {
    const number = Number(node.attributes.get('r') ?? this.#row + 1)
    if (!(number > this.#row) || !Number.isInteger(number)) throw damagedPart(this.#source.part, ['rows_unordered'])
    this.#row = number
    this.restyled(node, 's')
    let column = 0
    node.children = nodesIn(node).filter(({ name }) => name === 'c')
    for (const cell of node.children as XmlNode[]) {
      const place = cell.attributes.get('r')
      const at = place === undefined ? column + 1 : columnOf(place)
      if (!(at > column)) throw damagedPart(this.#source.part, ['cells_unordered', number])
      column = at
      this.#changeCell(cell, number)
    }
    return node
  }

  /** Where an element has a style, its number among the styles of our workbook. */
  restyled(node: XmlNode, attribute: string): XmlNode {
    const style = node.attributes.get(attribute)
    if (style !== undefined) this.#setStyle(node, attribute, Number(style))
    return node
  }

  #setStyle(node: XmlNode, attribute: string, style: number): void {
    if (style < this.#source.styles) node.attributes.set(attribute, `${otherStyleNumber(style)}`)
    else node.attributes.delete(attribute)
  }

  /** `cm` and `vm` point at a part that does not come back. */
  #changeCell(cell: XmlNode, row: number): void {
    const { attributes } = cell
    const style = Number(attributes.get('s') ?? 0)
    this.#setStyle(cell, 's', style)
    attributes.delete('cm')
    attributes.delete('vm')
    cell.children = nodesIn(cell).filter((child) => child.name !== 'f' || this.#keepsFormula(child))
    const value = nodesIn(cell).find(({ name }) => name === 'v')
    const type = attributes.get('t') ?? 'n'
    if (value && type === 's' && !this.#source.useString(Number(textInside(value).trim())))
      throw damagedPart(this.#source.part, ['cell_contradicts', row])
    if (value && type === 'n' && days.has(this.#source.formats1904[style]?.shows)) {
      const moved = Number(textInside(value)) + from1904
      if (Number.isFinite(moved)) value.children = [`${moved}`]
    }
  }

  #keepsFormula(node: XmlNode): boolean {
    const { formulas } = this.#source
    const formula = textInside(node)
    const number = node.attributes.get('t') === 'shared' ? (node.attributes.get('si') ?? '') : null
    if (number === null) return formula !== '' && formulas.keeps(formula)
    if (formula === '') return this.#shared.has(number)
    const isKept = this.#shared.size < mostShared && formulas.keeps(formula)
    if (isKept) this.#shared.add(number)
    else this.#shared.delete(number)
    return isKept
  }
}

const mostShared = 100_000

const days = new Set<NumberFormat['shows'] | undefined>(['date', 'dateTime'])
/** The days between the two beginnings. */
const from1904 = 1_462
