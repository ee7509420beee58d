import { type CellValue, cellType } from '../cell-type.ts'
import { isoDateText } from './date-text.ts'
import type { NumberFormat } from './number-formats.ts'
import { numberText } from './number-text.ts'
import type { StringTable } from './string-table.ts'
import { trimXmlSpace, unescapeCharacters } from './xml-text.ts'

/** What a cell needs of the rest of the workbook. */
export type CellSource = {
  strings: StringTable
  formats: NumberFormat[]
  date1904: boolean
  /** How many characters the cells of one sheet may hold together. */
  mostText: number
}

/** A cell as it is written: its value, the letters of its type, and the number of its style. */
type RawCell = { raw: string; type: string; style: number; hasFormula: boolean }

/** The value of a cell; of a formula the one that was last calculated. Null where the cell contradicts itself. */
export const readCell = (source: CellSource, cell: RawCell): CellValue | null => {
  if (cell.raw === '') return { text: '', type: cell.hasFormula ? cellType.uncalculated : cellType.empty }
  switch (cell.type) {
    case 'n':
      return numberText(cell.raw, source.formats[cell.style] ?? plain, source.date1904)
    case 's':
      return asText(source.strings.get(toInteger(cell.raw)))
    case 'inlineStr':
      return asText(cell.raw)
    case 'str':
      return asText(unescapeCharacters(cell.raw))
    case 'b':
      return { text: isTrue(cell.raw) ? 'TRUE' : 'FALSE', type: cellType.boolean }
    case 'e':
      return { text: trimXmlSpace(cell.raw), type: cellType.error }
    case 'd':
      return isoDateText(cell.raw)
    default:
      return null
  }
}

const plain: NumberFormat = { shows: 'number' }

const asText = (text: string | undefined): CellValue | null =>
  text === undefined ? null : { text, type: text === '' ? cellType.empty : cellType.text }

const isTrue = (raw: string): boolean => raw.trim() === '1' || raw.trim() === 'true'

const toInteger = (raw: string): number => (/^\s*\d+\s*$/.test(raw) ? Number(raw) : -1)
