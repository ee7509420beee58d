import type { Dialect } from './csv/dialect.ts'
import { cellType } from './xlsx/cell-type.ts'
import type { WorkbookRow } from './xlsx/read-workbook.ts'

/** How the text of a sheet is written: as Excel in Brazil saves it, but in UTF-8. Line and row numbers are the same. */
export const sheetDialect: Dialect = {
  encoding: 'utf-8',
  bom: false,
  delimiter: ';',
  quote: '"',
  newline: '\r\n',
  sepLine: false,
  header: true,
  decimal: ',',
  lineIsRecord: true,
}

/** What is known of a sheet once its text is written. */
export type SheetFacts = { columns: number; hiddenRows: number }

/**
 * The rows of a sheet as text. The same cells give the same bytes, however the workbook was saved. Empty rows become
 * empty lines, so that the line of a record equals the row number in the sheet.
 */
export async function* writeSheetText(
  rows: AsyncIterable<WorkbookRow[]>,
  facts: SheetFacts,
): AsyncGenerator<Uint8Array> {
  let line = 1
  for await (const some of rows) {
    let text = ''
    for (const row of some) {
      text += lineEnd.repeat(row.number - line)
      text += rowText(row) + lineEnd
      line = row.number + 1
      facts.columns = Math.max(facts.columns, row.cells.length)
      if (row.hidden) facts.hiddenRows++
    }
    yield Buffer.from(text)
  }
}

const lineEnd = '\r\n'

const rowText = ({ cells, types }: WorkbookRow): string => {
  let text = ''
  for (let at = 0; at < cells.length; at++) {
    if (at > 0) text += ';'
    text += cellText(cells[at] as string, types[at] as string)
  }
  return text === '' ? '""' : text
}

const cellText = (cell: string, type: string): string => {
  if (type === cellType.number) return cell.includes('.') ? cell.replace('.', ',') : cell
  if (type === cellType.cutNumber) return roundedText(cell)
  return special.test(cell) ? `"${cell.replaceAll('\0', '').replaceAll('"', '""')}"` : cell
}

const special = /[;"\r\n\0]|^\s+$/

/** As a spreadsheet shows it: `1,23456789012346E+19`. Its further digits are unknown. */
const roundedText = (cell: string): string => {
  const [, sign = '', digits = cell] = /^(-?)(\d+)/.exec(cell) ?? []
  const [first, rest] = [digits.slice(0, 1), digits.slice(1, 15).replace(/0+$/, '')]
  return /^\d+$/.test(digits) ? `${sign}${first},${rest || '0'}E+${digits.length - 1}` : cell
}

/**
 * Text of a sheet, of one or more records, in which no cell starts a formula. In the sheet it was text, but a spreadsheet
 * that opens it as CSV would calculate it.
 */
export const inertSheetText = (text: string): string =>
  formulaSign.test(text)
    ? text.replace(cellAndEnd, (match, cell: string, end: string) => {
        const isQuoted = cell.startsWith('"')
        const content = isQuoted ? cell.slice(1, -1) : cell
        if (!startsFormula.test(content) || numeric.test(content)) return match
        return isQuoted ? `"'${content}"${end}` : `'${content}${end}`
      })
    : text

const formulaSign = /[-=+@＝＋－＠]/
const startsFormula = /^[\s\p{Cc}]*[-=+@＝＋－＠]/u
const numeric = /^[-+]?\d+(?:,\d+)?(?:E[-+]?\d+)?$/
const cellAndEnd = /("[^"]*(?:""[^"]*)*"|[^;\r\n]*)(;|\r\n|$)/g
