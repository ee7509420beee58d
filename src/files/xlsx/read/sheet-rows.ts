import { damagedPart, oversizedPart } from '../../file-problem.ts'
import { columnOf } from '../cell-type.ts'
import { type CellSource, readCell } from './cell-value.ts'
import { readXml, type XmlPart } from './read-xml.ts'
import { RichText } from './rich-text.ts'
import type { XmlToken, XmlTokens } from './xml-tokens.ts'

/**
 * A row that is not empty. `number` is its number in the sheet; `types` has one letter of `cellType` for each cell. Of
 * merged cells the first one holds the value; the others are empty.
 */
export type WorkbookRow = {
  number: number
  hidden: boolean
  cells: string[]
  types: string
  /** The numbers of the cells' styles, where they were asked for and there are such styles. */
  styles?: (number | undefined)[]
}

/** What is wanted beside the rows: the styles of cells, and the ranges of merged cells, which come after the rows. */
export type SheetExtras = { styles: true; merged: string[] }

/** The rows of a sheet in batches. Empty rows are left out; the numbers of the others show the gaps. */
export async function* readSheetRows(
  part: XmlPart,
  source: CellSource,
  extras?: SheetExtras,
): AsyncGenerator<WorkbookRow[]> {
  const sheet = new SheetReader(part, source, extras)
  try {
    for await (const _ of readXml(part, (token, tokens) => sheet.see(token, tokens))) {
      if (sheet.isFull()) yield sheet.take()
    }
  } catch (error) {
    // What is wrong after the last row costs no row.
    if (!sheet.hasEnded) throw error
  }
  const last = sheet.take()
  if (last.length > 0) yield last
}

/** Cells and characters, not rows, fill a batch: its memory is bounded however wide the sheet is. */
const cellsInBatch = 2_500
const charactersInBatch = 1024 ** 2

const mostMerged = 10_000

/** The reference of a cell, its type, its style. */
const cellAttributes = ['r', 't', 's']

class SheetReader {
  readonly #part: string
  readonly #limits: XmlPart['parts']['limits']
  readonly #source: CellSource
  readonly #extras: SheetExtras | undefined
  readonly #inline: RichText
  #rows: WorkbookRow[] = []
  #cellsHeld = 0
  #charactersHeld = 0
  /** Characters of all cells so far. */
  #characters = 0
  #inData = false
  /** Whether all rows were read. */
  hasEnded = false
  #row: WorkbookRow = { number: 0, hidden: false, cells: [], types: '' }
  #column = 0
  #raw = ''
  #inValue = false
  #hasFormula = false
  #type = ''
  #style = 0
  readonly #picked: (string | undefined)[] = [undefined, undefined, undefined]

  constructor({ name, parts: { limits } }: XmlPart, source: CellSource, extras: SheetExtras | undefined) {
    this.#part = name
    this.#limits = limits
    this.#source = source
    this.#extras = extras
    this.#inline = new RichText(limits.cellLength, name)
  }

  isFull(): boolean {
    if (this.#rows.length === 0) return false
    return this.#cellsHeld >= cellsInBatch || this.#charactersHeld >= charactersInBatch
  }

  take(): WorkbookRow[] {
    const rows = this.#rows
    this.#rows = []
    this.#cellsHeld = 0
    this.#charactersHeld = 0
    return rows
  }

  /** False once the last row was read, unless merged cells are wanted: they stand after it. */
  see(token: XmlToken, tokens: XmlTokens): boolean {
    if (token === 'text') this.#seeText(token, tokens)
    else if (tokens.depth === 2 && tokens.name === 'sheetData') {
      this.#inData = token === 'open'
      this.hasEnded = token !== 'open'
      return this.#inData || this.#extras !== undefined
    } else if (this.#inData && tokens.depth > 2) this.#seeTag(token, tokens)
    else if (token === 'open' && tokens.depth === 3 && tokens.name === 'mergeCell') this.#seeMerged(tokens)
    return true
  }

  #seeText(token: XmlToken, tokens: XmlTokens): void {
    if (this.#inValue) this.#raw += tokens.text
    else if (tokens.depth > 5) this.#inline.see(token, tokens)
    if (this.#raw.length > this.#limits.xmlToken)
      throw oversizedPart(this.#part, this.#limits.cellLength, 'cell_characters')
  }

  #seeTag(token: XmlToken, tokens: XmlTokens): void {
    const opens = token === 'open'
    if (tokens.depth > 5) this.#inline.see(token, tokens)
    else if (tokens.depth === 5) this.#seeContent(opens, tokens.name)
    else if (tokens.depth === 4 && tokens.name === 'c') opens ? this.#beginCell(tokens) : this.#endCell()
    else if (tokens.depth === 3 && tokens.name === 'row') opens ? this.#beginRow(tokens) : this.#endRow()
  }

  #seeMerged(tokens: XmlTokens): void {
    const range = tokens.attribute('ref')
    if (this.#extras && range && this.#extras.merged.length < mostMerged) this.#extras.merged.push(range)
  }

  #seeContent(opens: boolean, name: string): void {
    this.#inValue = opens && name === 'v'
    if (opens && name === 'f') this.#hasFormula = true
    if (opens && name === 'is') this.#inline.clear()
  }

  #beginRow(tokens: XmlTokens): void {
    const number = Number(tokens.attribute('r') ?? this.#row.number + 1)
    if (!(number > this.#row.number) || !Number.isInteger(number)) throw damagedPart(this.#part, ['rows_unordered'])
    if (number > this.#limits.rows) throw oversizedPart(this.#part, this.#limits.rows, 'rows')
    const hidden = tokens.attribute('hidden')
    this.#row = {
      number,
      hidden: hidden === '1' || hidden === 'true',
      cells: [],
      types: '',
      ...(this.#extras && { styles: [] }),
    }
    this.#column = 0
  }

  #beginCell(tokens: XmlTokens): void {
    tokens.pick(cellAttributes, this.#picked)
    const [place, type = 'n', style = '0'] = this.#picked
    const column = place === undefined ? this.#column + 1 : columnOf(place)
    if (!(column > this.#column)) throw damagedPart(this.#part, ['cells_unordered', this.#row.number])
    this.#column = column
    this.#type = type
    this.#style = Number(style)
    this.#raw = ''
    this.#hasFormula = false
    this.#inline.clear()
  }

  #endCell(): void {
    const raw = this.#type === 'inlineStr' ? this.#inline.text : this.#raw
    if (raw === '' && !this.#hasFormula) return
    const value = readCell(this.#source, { raw, type: this.#type, style: this.#style, hasFormula: this.#hasFormula })
    if (value === null) throw damagedPart(this.#part, ['cell_contradicts', this.#row.number])
    if (value.text === '' && !this.#hasFormula) return
    if (value.text.length > this.#limits.cellLength)
      throw oversizedPart(this.#part, this.#limits.cellLength, 'cell_characters')
    this.#put(value.text, value.type)
    const { cells, styles } = this.#row
    if (styles && this.#source.formats[this.#style]) styles[cells.length - 1] = this.#style
  }

  #put(text: string, type: string): void {
    const { cells } = this.#row
    if (this.#column > this.#limits.columns) throw oversizedPart(this.#part, this.#limits.columns, 'columns')
    this.#charactersHeld += text.length
    this.#characters += text.length
    if (this.#characters > this.#source.mostText)
      throw oversizedPart(this.#part, this.#limits.ratio, 'bytes_unpacked_of_one')
    while (cells.length < this.#column - 1) {
      cells.push('')
      this.#row.types += '-'
    }
    cells.push(text)
    this.#row.types += type
  }

  #endRow(): void {
    if (this.#row.cells.length === 0) return
    this.#rows.push(this.#row)
    this.#cellsHeld += this.#row.cells.length
  }
}
