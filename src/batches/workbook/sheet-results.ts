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

export type SheetResults = ReturnType<typeof createSheetResults>

/** Writes what reports add to a row as cells of a workbook, in its language, and counts the outcomes. */
export const createSheetResults = (row: ResultRow, kind: Kind, labels: WorkbookLabels) => {
  const columns = sheetColumns(kind)
  const localized = columns.localized.map(({ cell }) => cell)
  const typed = columns.typed.map(({ cell }) => ({ type: cell.type, place: cellPlace(cell, row) }))
  const figures = kind === 'analysis' ? new Figures(row) : null
  /** The count of lawsuits, where it is the only figure. */
  const total = kind === 'processes' ? row.at('total') : null
  const { nameMatches, notSearched } = labels.terms
  const match = (text: string, emphasis: CellEmphasis) => Buffer.from(cellXml({ text, type: 't', emphasis }))
  const matchCells: Record<NameMatch, Buffer> = {
    same: match(nameMatches.same, 'none'),
    similar: match(nameMatches.similar, 'none'),
    different: match(nameMatches.different, 'attention'),
  }
  const notSearchedCell = Buffer.from(textCellXml(notSearched))
  const localizedCells = new Map<string, { xml: Buffer; outcome: RowOutcome }>()
  const outcomes = new Map<string, RowOutcome>()
  /** How many names compare how. */
  const names: Record<NameMatch, number> = { same: 0, similar: 0, different: 0 }
  let lastMoment = { text: '', xml: noCell }

  const appendValue = (to: ByteWindow, type: ResultCell['type'], place: number): void => {
    if (type === 'dateTime') to.append(momentAt(place))
    else if (type === 'boolean') to.append(booleans[row.text(place)] ?? noCell)
    else if (type === 'integer') appendPart(to, integerBegins, place, numberEnds)
    else if (isPlainText(row.bytes, row.from(place), row.end(place))) appendPart(to, textBegins, place, textEnds)
    else to.appendText(textCellXml(row.text(place)))
  }
  const appendPart = (to: ByteWindow, begins: Buffer, place: number, ends: Buffer): void => {
    to.append(begins)
    to.appendPart(row.bytes, row.from(place), row.end(place))
    to.append(ends)
  }
  const appendFigure = (to: ByteWindow, from: Figures, type: 'count' | 'amount', place: number): void => {
    const isCount = type === 'count'
    if (from.isUnsearched(place)) to.append(notSearchedCell)
    else if (isCount ? from.sign(place) === null : !from.hasAmount(place)) {
      const text = isCount ? '' : from.amountText(place)
      to.appendText(text === '' ? '<c/>' : textCellXml(text))
    } else {
      to.append(isCount ? integerBegins : amountBegins)
      if (isCount) from.appendCount(place, to)
      else from.appendAmount(place, to, point)
      to.append(numberEnds)
    }
  }
  /** Rows that follow one another were often answered in the same second. */
  const momentAt = (place: number): Buffer => {
    const text = row.key(place, place)
    if (text !== lastMoment.text) {
      lastMoment = { text, xml: Buffer.from(cellXml({ text: text.replace('T', ' '), type: 'D' })) }
    }
    return lastMoment.xml
  }
  const comparedName = (place: number, given: string): Buffer => {
    const compared = compareNames(given, row.text(place))?.match
    if (!compared) return noCell
    names[compared]++
    return matchCells[compared]
  }
  /** A million rows have a few dozen different results, so each is cached. A cache that grows too large is cleared. */
  const findLocalized = (): { xml: Buffer; outcome: RowOutcome } => {
    const risk = riskOf()
    const key = `${risk} ${row.key(row.at('state'), row.at('message'))}`
    const known = localizedCells.get(key)
    if (known) return known
    const xml = Buffer.from(localized.map((cell) => localizedXml(cell, risk)).join(''))
    const found = { xml, outcome: outcomeOf(row.text(row.at('state')), risk) }
    if (localizedCells.size >= mostKnown) localizedCells.clear()
    localizedCells.set(key, found)
    return found
  }
  const localizedXml = (cell: ResultCell, risk: RiskLevel | null): string => {
    const { terms, risks, formatMessage } = labels
    if (cell.type === 'risk') return cellXml({ text: risk ? risks[risk] : '', type: 't', emphasis: riskEmphasis(risk) })
    if (cell.type === 'detail') {
      const reason = term(terms.rejectReasons, row.text(row.at('rejectReason')))
      return textCellXml([reason, detailOf(row, formatMessage)].filter(Boolean).join(': '))
    }
    const field = (cell as { field: 'state' | 'charge' | 'repair' }).field
    const code = row.text(row.at(field))
    if (field === 'state') {
      return cellXml({ text: term(terms.outcomes, code), type: 't', emphasis: outcomeEmphasis(code) })
    }
    return textCellXml(field === 'charge' ? term(terms.charged, code) : repairNames(terms.repairs, code))
  }
  const riskOf = (): RiskLevel | null => {
    if (figures) return figures.riskLevel()
    if (total === null || row.isEmpty(total)) return null
    const lawsuits = Number(row.text(total))
    if (lawsuits < 0) return null
    return lawsuits > 0 ? 'lawsuits' : 'clear'
  }
  const outcomeOf = (state: string, risk: RiskLevel | null): RowOutcome => {
    const key = `${state} ${risk}`
    const outcome = outcomes.get(key) ?? { state, risk, rows: 0 }
    outcomes.set(key, outcome)
    return outcome
  }
  return {
    names,
    get outcomes(): readonly RowOutcome[] {
      return [...outcomes.values()]
    },
    /** Appends the cells of the current row, in which the caller's file has this name. */
    append(to: ByteWindow, givenName: string): void {
      figures?.read()
      const { xml, outcome } = findLocalized()
      outcome.rows++
      to.append(xml)
      for (let at = 0; at < typed.length; at++) {
        const { type, place } = typed[at]!
        if (type === 'count' || type === 'amount') appendFigure(to, figures!, type, place)
        else if (row.isEmpty(place)) to.append(noCell)
        else if (type === 'nameMatch') to.append(comparedName(place, givenName))
        else appendValue(to, type, place)
      }
    },
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
