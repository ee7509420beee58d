import type { Message } from '../messages/message.ts'

/** What was changed to make a cell readable, as codes of the column `result_repair`. */
export type Repair = 'spaces' | 'width' | 'text_marker' | 'decimal' | 'mask' | 'case' | 'zeros'

type CleanCell =
  | { bare: string; repairs: readonly Repair[] }
  | { refused: 'empty' | 'characters' | 'length' | 'scientific_notation' | 'cut_number'; detail: Message }

/** Removes what spreadsheets and people put around the characters of a document, and lists each repair. */
export const cleanCell = (cell: string): CleanCell => {
  if (usualMask.test(cell)) return { bare: cell.replace(/[./-]/g, ''), repairs: onlyMask }
  const repairs: Repair[] = []
  const step = (repair: Repair, before: string, after: string) => {
    if (after !== before) repairs.push(repair)
    return after
  }

  const visible = step('spaces', cell, (plainAscii.test(cell) ? cell : cell.replace(invisible, '')).trim())
  if (visible === '') return { refused: 'empty', detail: ['cell_empty'] }
  if (visible.length > longest) return { refused: 'length', detail: ['cell_long', visible.length] }
  const narrow = step('width', visible, visible.replace(fullWidth, toAscii))
  const unmarked = step('text_marker', narrow, narrow.replace(textMarker, '$1$2').trim())
  const upper = step('case', unmarked, unmarked.toUpperCase())
  if (scientific.test(upper) && !/^[0-9A-Z]{14}$/.test(upper)) {
    return roundedNumber(upper)
  }
  const integer = step('decimal', upper, upper.replace(zeroDecimals, '$1'))
  const bare = step('mask', integer, unmask(integer))
  if (bare === '') return { refused: 'empty', detail: ['cell_bare'] }
  if (!/^[0-9A-Z]+$/.test(bare)) return { refused: 'characters', detail: ['not_document'] }
  return { bare, repairs }
}

/**
 * A number in scientific notation is rounded. Up to 15 digits, the workbook that it was saved from still has all of them;
 * beyond that no spreadsheet has them.
 */
export const roundedNumber = (text: string): { refused: 'scientific_notation' | 'cut_number'; detail: Message } =>
  Number(/E\+?(-?\d+)$/i.exec(text)?.[1]) < 15
    ? { refused: 'scientific_notation', detail: ['rounded'] }
    : { refused: 'cut_number', detail: ['cut_number'] }

const usualMask = /^(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2})$/
const onlyMask: readonly Repair[] = Object.freeze(['mask'])
const plainAscii = /^[\x20-\x7e]*$/

/** Longer than any mask. It also keeps the patterns below away from megabytes of text. */
const longest = 64

/** Zero-width characters, soft hyphens, direction marks and byte order marks: pasted from pages and PDFs, never intended. */
const invisible = /\p{Cf}/gu

/** East Asian forms of digits, letters and the signs of a mask. */
const fullWidth = /[\uff0d-\uff19\uff21-\uff3a\uff41-\uff5a]/g
const toAscii = (character: string) => String.fromCharCode(character.charCodeAt(0) - 0xfee0)

/** `'00123` and `="00123"` are how people make a spreadsheet keep its zeros. */
const textMarker = /^(?:=\s*"([^"]*)"|'([^']*)'?)$/

const scientific = /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/

/** `12345678909.0` is a document that went through a column of floating-point numbers; 14 digits survive that exactly. */
const zeroDecimals = /^(\d+)(?:[.,]0|,00)$/

/**
 * Takes the mask off, but only where a mask can stand, counted from the right since zeros may be lost on the left.
 * A separator elsewhere (`12345678909.12`, `12345678909 1`) makes the digits another number: the cell stays as it is.
 */
const unmask = (text: string): string => {
  if (/^[0-9A-Z]+$/.test(text)) return text
  if (!/[\p{L}\p{N}]/u.test(text)) return ''
  return masks.some((mask) => mask.test(text)) ? text.replace(/[^0-9A-Z]/g, '') : text
}

const dash = String.raw`\s*[-/\u2010-\u2015\u2212]?\s*`
const dot = String.raw`\s*[.\-\u2010-\u2015\u2212]?\s*`
const slash = String.raw`\s*[./\\\-\u2010-\u2015\u2212]?\s*`

const cpfGroups = ['\\d{1,3}', `\\d{1,3}${dot}\\d{3}`, `\\d{1,3}${dot}\\d{3}${dot}\\d{3}`]
const branch = `${slash}[0-9A-Z]{4}`
const cnpjGroups = [
  '[0-9A-Z]{1,4}',
  `[0-9A-Z]{1,3}${branch}`,
  `[0-9A-Z]{1,3}${dot}[0-9A-Z]{3}${branch}`,
  `[0-9A-Z]{1,2}${dot}[0-9A-Z]{3}${dot}[0-9A-Z]{3}${branch}`,
]
const thousands = /^\d{1,3}(?:\.\d{3}){2,4}$/
const masks = [...cpfGroups, ...cnpjGroups].map((groups) => new RegExp(`^${groups}${dash}\\d{2}$`)).concat(thousands)
