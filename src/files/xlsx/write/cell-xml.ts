import { type CellType, cellType } from '../cell-type.ts'
import { escapeText, fitIntoCell } from './escape-text.ts'
import { type CellEmphasis, type CellLook, styleNumber } from './styles-xml.ts'

/** A cell to be written: its text and type as the reader gives them. */
export type WrittenCell = {
  text: string
  type: CellType
  look?: CellLook
  emphasis?: CellEmphasis
  /** The number of a style of the caller, instead of a look. */
  style?: number | undefined
}

export const textCell = (text: string, look?: CellLook, emphasis?: CellEmphasis): WrittenCell => ({
  text,
  type: cellType.text,
  look,
  emphasis,
})

/**
 * One row. Its cells carry no references: they follow one another, and an empty cell is written too. Rows that are
 * produced elsewhere must have the same form.
 */
export const rowXml = (cells: readonly WrittenCell[]): string => `<row>${cells.map(cellXml).join('')}</row>\n`

export const cellXml = ({ text, type, look, emphasis, style: own }: WrittenCell): string => {
  const style = own ?? styleNumber(look ?? looks[type] ?? 'general', emphasis)
  const s = style === 0 ? '' : ` s="${style}"`
  if (text === '') return `<c${s}/>`
  switch (type) {
    case cellType.number:
    case cellType.cutNumber:
      return isNumber(text) ? `<c${s}><v>${text}</v></c>` : textXml(text, s)
    case cellType.boolean:
      return `<c${s} t="b"><v>${text === 'TRUE' ? 1 : 0}</v></c>`
    case cellType.error:
      return errors.has(text) ? `<c${s} t="e"><v>${text}</v></c>` : textXml(text, s)
    case cellType.date:
    case cellType.dateTime:
    case cellType.time:
      return dateXml(text, s)
    default:
      return textXml(text, s)
  }
}

const looks: Partial<Record<CellType, CellLook>> = {
  [cellType.text]: 'text',
  [cellType.padded]: 'text',
  [cellType.date]: 'date',
  [cellType.dateTime]: 'dateTime',
  [cellType.time]: 'time',
}

/** A cell of the caller's text: what most cells of a CSV are. */
export const textCellXml = (text: string): string => (text === '' ? emptyText : textXml(text, textStyle))

/** Text stays text, whatever it begins with: only `<f>` makes a formula. */
const textXml = (text: string, s: string): string => {
  const fitted = fitIntoCell(text)
  const space = /^\s|\s$/.test(fitted) ? ' xml:space="preserve"' : ''
  return `<c${s} t="inlineStr"><is><t${space}>${escapeText(fitted)}</t></is></c>`
}

const dateXml = (text: string, s: string): string => {
  const serial = serialOf(text)
  return serial === null ? textXml(text, s) : `<c${s}><v>${serial}</v></c>`
}

/** The day number, counted from 1900, of `2026-11-15`, `2026-11-15 08:30:00` or `08:30:00`; null for other texts. */
const serialOf = (text: string): number | null => {
  const found = /^(?:(\d{4})-(\d\d)-(\d\d))?(?: ?(\d{2,}):(\d\d):(\d\d))?$/.exec(text)
  if (!found || text === '') return null
  const [, year, month, day, hours = 0, minutes = 0, seconds = 0] = found
  const date = year === undefined ? 0 : dayNumber(Number(year), Number(month), Number(day))
  if (date === null) return null
  return date + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400
}

/** Day 60 (29 February 1900) does not exist, and days before it count one less than they should. */
const dayNumber = (year: number, month: number, day: number): number | null => {
  if (year === 1900 && month === 2 && day === 29) return 60
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1900) return null
  const days = date.getTime() / 86_400_000 + 25_569
  return days <= 60 ? days - 1 : days
}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)

/** The errors that every program knows; any other text would make the file unreadable. */
const errors = new Set(['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA'])

const textStyle = ` s="${styleNumber('text')}"`
const emptyText = `<c${textStyle}/>`
