import type { RiskLevel } from '../../domain/classifications.ts'
import type { Kind } from '../../domain/kind.ts'
import { answeredStates, type LookupState } from '../../domain/lookup.ts'
import { compareNames, type NameMatch } from '../../domain/name-match.ts'
import { cellXml, textCellXml } from '../../files/xlsx/write/cell-xml.ts'
import { type CellEmphasis, styleNumber } from '../../files/xlsx/write/styles-xml.ts'
import type { WorkbookLabels } from '../../messages/labels.ts'
import { repairNames, term } from '../../messages/term.ts'
import { Figures } from '../figures.ts'
import { cellPlace, type ResultCell, sheetColumns } from '../result-columns.ts'
import { detailOf, type ResultRow } from '../result-row.ts'
import { type ByteWindow, isMadeOf } from '../sliced-text.ts'

/** How many rows have this outcome. All rows with the same outcome share it. */
export type RowOutcome = { state: string; risk: RiskLevel | null; rows: number }

/** Writes what reports add to a row as cells of a workbook, in its language, and counts the outcomes. */
export class SheetResults {
  readonly #row: ResultRow
  readonly #labels: WorkbookLabels
  readonly #localized: ResultCell[]
  readonly #typed: { type: ResultCell['type']; place: number }[]
  readonly #figures: Figures | null
  /** The count of lawsuits, where it is the only figure. */
  readonly #total: number | null
  readonly #localizedCells = new Map<string, { xml: Buffer; outcome: RowOutcome }>()
  readonly #outcomes = new Map<string, RowOutcome>()
  readonly #matchCells: Record<NameMatch, Buffer>
  readonly #notSearched: Buffer
  #lastMoment = { text: '', xml: noCell }
  /** How many names compare how. */
  readonly names: Record<NameMatch, number> = { same: 0, similar: 0, different: 0 }

  constructor(row: ResultRow, kind: Kind, labels: WorkbookLabels) {
    const { localized, typed } = sheetColumns(kind)
    const { nameMatches, notSearched } = labels.terms
    const match = (text: string, emphasis: CellEmphasis) => Buffer.from(cellXml({ text, type: 't', emphasis }))
    this.#row = row
    this.#labels = labels
    this.#localized = localized.map(({ cell }) => cell)
    this.#typed = typed.map(({ cell }) => ({ type: cell.type, place: cellPlace(cell, row) }))
    this.#figures = kind === 'analysis' ? new Figures(row) : null
    this.#total = kind === 'processes' ? row.at('total') : null
    this.#matchCells = {
      same: match(nameMatches.same, 'none'),
      similar: match(nameMatches.similar, 'none'),
      different: match(nameMatches.different, 'attention'),
    }
    this.#notSearched = Buffer.from(textCellXml(notSearched))
  }

  get outcomes(): readonly RowOutcome[] {
    return [...this.#outcomes.values()]
  }

  /** Appends the cells of the current row, in which the caller's file has this name. */
  append(to: ByteWindow, givenName: string): void {
    this.#figures?.read()
    const { xml, outcome } = this.#findLocalized()
    outcome.rows++
    to.append(xml)
    const cells = this.#typed
    for (let at = 0; at < cells.length; at++) {
      const { type, place } = cells[at]!
      if (type === 'count' || type === 'amount') this.#appendFigure(to, type, place)
      else if (this.#row.isEmpty(place)) to.append(noCell)
      else if (type === 'nameMatch') to.append(this.#compareNames(place, givenName))
      else this.#appendValue(to, type, place)
    }
  }

  #appendValue(to: ByteWindow, type: ResultCell['type'], place: number): void {
    const row = this.#row
    if (type === 'dateTime') to.append(this.#moment(place))
    else if (type === 'boolean') to.append(booleans[row.text(place)] ?? noCell)
    else if (type === 'integer') this.#appendPart(to, integerBegins, place, numberEnds)
    else if (isPlainText(row.bytes, row.from(place), row.end(place))) this.#appendPart(to, textBegins, place, textEnds)
    else to.appendText(textCellXml(row.text(place)))
  }

  #appendPart(to: ByteWindow, begins: Buffer, place: number, ends: Buffer): void {
    to.append(begins)
    to.appendPart(this.#row.bytes, this.#row.from(place), this.#row.end(place))
    to.append(ends)
  }

  #appendFigure(to: ByteWindow, type: 'count' | 'amount', place: number): void {
    const figures = this.#figures!
    if (figures.isUnsearched(place)) to.append(this.#notSearched)
    else if (type === 'count') this.#appendCount(to, figures, place)
    else if (figures.hasAmount(place)) this.#appendAmount(to, figures, place)
    else to.appendText(figures.amountText(place) === '' ? '<c/>' : textCellXml(figures.amountText(place)))
  }

  #appendCount(to: ByteWindow, figures: Figures, place: number): void {
    if (figures.sign(place) === null) return void to.append(noCell)
    to.append(integerBegins)
    figures.appendCount(place, to)
    to.append(numberEnds)
  }

  #appendAmount(to: ByteWindow, figures: Figures, place: number): void {
    to.append(amountBegins)
    figures.appendAmount(place, to, point)
    to.append(numberEnds)
  }

  /** Rows that follow one another were often answered in the same second. */
  #moment(place: number): Buffer {
    const text = this.#row.key(place, place)
    if (text !== this.#lastMoment.text) {
      this.#lastMoment = { text, xml: Buffer.from(cellXml({ text: text.replace('T', ' '), type: 'D' })) }
    }
    return this.#lastMoment.xml
  }

  #compareNames(place: number, given: string): Buffer {
    const match = compareNames(given, this.#row.text(place))?.match
    if (!match) return noCell
    this.names[match]++
    return this.#matchCells[match]
  }

  /** A million rows have a few dozen different results, so each is cached. A cache that grows too large is cleared. */
  #findLocalized(): { xml: Buffer; outcome: RowOutcome } {
    const row = this.#row
    const risk = this.#risk()
    const key = `${risk} ${row.key(row.at('state'), row.at('message'))}`
    const known = this.#localizedCells.get(key)
    if (known) return known
    const xml = Buffer.from(this.#localized.map((cell) => this.#localizedXml(cell, risk)).join(''))
    const found = { xml, outcome: this.#outcomeOf(row.text(row.at('state')), risk) }
    if (this.#localizedCells.size >= mostKnown) this.#localizedCells.clear()
    this.#localizedCells.set(key, found)
    return found
  }

  #localizedXml(cell: ResultCell, risk: RiskLevel | null): string {
    const { terms, risks, formatMessage } = this.#labels
    if (cell.type === 'risk') return cellXml({ text: risk ? risks[risk] : '', type: 't', emphasis: riskEmphasis(risk) })
    if (cell.type === 'detail') {
      const reason = term(terms.rejectReasons, this.#row.text(this.#row.at('rejectReason')))
      return textCellXml([reason, detailOf(this.#row, formatMessage)].filter(Boolean).join(': '))
    }
    const field = (cell as { field: 'state' | 'charge' | 'repair' }).field
    const code = this.#row.text(this.#row.at(field))
    if (field === 'state') {
      return cellXml({ text: term(terms.outcomes, code), type: 't', emphasis: outcomeEmphasis(code) })
    }
    return textCellXml(field === 'charge' ? term(terms.charged, code) : repairNames(terms.repairs, code))
  }

  #risk(): RiskLevel | null {
    if (this.#figures) return this.#figures.riskLevel()
    if (this.#total === null || this.#row.isEmpty(this.#total)) return null
    const total = Number(this.#row.text(this.#total))
    if (total < 0) return null
    return total > 0 ? 'lawsuits' : 'clear'
  }

  #outcomeOf(state: string, risk: RiskLevel | null): RowOutcome {
    const key = `${state} ${risk}`
    const outcome = this.#outcomes.get(key) ?? { state, risk, rows: 0 }
    this.#outcomes.set(key, outcome)
    return outcome
  }
}

const noCell = Buffer.from('<c/>')
const numberEnds = Buffer.from('</v></c>')
const integerBegins = Buffer.from(`<c s="${styleNumber('integer')}"><v>`)
const amountBegins = Buffer.from(`<c s="${styleNumber('amount')}"><v>`)
const textBegins = Buffer.from(`<c s="${styleNumber('text')}" t="inlineStr"><is><t>`)
const textEnds = Buffer.from('</t></is></c>')
const booleans: Record<string, Buffer> = {
  true: Buffer.from('<c t="b"><v>1</v></c>'),
  false: Buffer.from('<c t="b"><v>0</v></c>'),
}
const point = 0x2e
const mostKnown = 2_000

/** Text that needs no escaping and fits into a cell. */
const isPlainText = (bytes: Buffer, from: number, end: number): boolean => {
  if (bytes[from] === space || bytes[end - 1] === space || end - from > mostPlain) return false
  return isMadeOf(isPlain, bytes, from, end)
}

/** Markup, the underscore of `_x000B_`, what COPY escapes, and the first byte of what XML cannot hold are not. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  return byte >= 0x20 && byte !== 0x7f && byte !== 0xef && !'&<>"_\\'.includes(character) ? 1 : 0
})
const space = 0x20
const mostPlain = 32_767

export const outcomeEmphasis = (state: string): CellEmphasis => {
  if (state === 'pending' || state === 'rejected') return 'attention'
  return answeredStates.includes(state as LookupState) ? 'none' : 'danger'
}

const riskEmphases: Record<RiskLevel, CellEmphasis> = { risk: 'danger', lawsuits: 'attention', clear: 'good' }

export const riskEmphasis = (risk: RiskLevel | null): CellEmphasis => (risk ? riskEmphases[risk] : 'none')
