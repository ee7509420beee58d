import { isValidProcessoJuridico } from '@brazilian-utils/brazilian-utils'
import type { Message } from '../messages/message.ts'
import { roundedNumber } from './document-repair.ts'

type ProcessNumberRepair = 'spaces' | 'text_marker' | 'mask' | 'zeros'

/** `older_numbering`: from before 2010, without check digits; `unknown_court`: valid check digits, unknown court. */
type ProcessNumberWarning = 'older_numbering' | 'unknown_court'

type ParsedProcessNumber =
  | { number: string; repairs: readonly ProcessNumberRepair[]; warning?: ProcessNumberWarning }
  | {
      refused: 'empty' | 'characters' | 'scientific_notation' | 'cut_number' | 'length' | 'check_digit'
      detail: Message
    }

/**
 * Reads a process number; the result has the form `0058967-77.2016.8.19.0000` whatever the cell's mask was.
 *
 * Numbers older than that form are still in use: they are accepted unchanged, with a warning.
 */
export const readProcessNumber = (cell: string): ParsedProcessNumber => {
  const visible = cell.replace(/\p{C}|\s/gu, (char) => (/\s/.test(char) ? ' ' : '')).trim()
  if (visible === '') return { refused: 'empty', detail: ['cell_empty'] }
  const text = visible.replace(/^(?:=\s*"([^"]*)"|'([^']*)'?)$/, '$1$2').trim()
  if (/^\d+(?:[.,]\d+)?E[+-]?\d+$/i.test(text)) {
    return roundedNumber(text)
  }
  if (text.length > 40) return { refused: 'length', detail: ['cell_long', text.length] }
  const repairs: ProcessNumberRepair[] = []
  if (visible !== cell) repairs.push('spaces')
  if (text !== visible) repairs.push('text_marker')
  return currentForm.test(text) ? readCurrent(text, repairs) : readOlder(text, repairs)
}

/** NNNNNNN-DD.AAAA.J.TR.OOOO, with any separators left out, and without the zeros on its left. */
const currentForm = /^\d{1,7}[-. ]*\d{2}[-. ]*(?:19|20)\d{2}[-. ]*\d[-. ]*\d{2}[-. ]*\d{4}$/

const readCurrent = (text: string, repairs: ProcessNumberRepair[]): ParsedProcessNumber => {
  const written = text.replace(/\D/g, '')
  const digits = written.padStart(20, '0')
  if (!checkDigitsFit(digits)) {
    // Fifteen digits and more can also be an older number, which has no check digits to verify.
    if (written.length < 18) return readOlder(text, repairs)
    return { refused: 'check_digit', detail: ['check_digits', written.length] }
  }
  const number = digits.replace(/^(.{7})(..)(.{4})(.)(..)(.{4})$/, '$1-$2.$3.$4.$5.$6')
  if (digits.length !== written.length) repairs.push('zeros')
  if (!number.endsWith(text)) repairs.push('mask')
  return isValidProcessoJuridico(number) ? { number, repairs } : { number, repairs, warning: 'unknown_court' }
}

const readOlder = (text: string, repairs: ProcessNumberRepair[]): ParsedProcessNumber => {
  if (!/^[\dA-Z][\dA-Z./ -]*$/i.test(text) || !/\d/.test(text)) {
    return { refused: 'characters', detail: ['not_process'] }
  }
  const digits = text.replace(/\D/g, '').length
  if (digits >= 5 && digits < 20) return { number: text, repairs, warning: 'older_numbering' }
  return { refused: 'length', detail: ['digits_process', digits] }
}

/** ISO 7064: the number without its check digits, then the check digits, leaves 1 when divided by 97. */
const checkDigitsFit = (digits: string): boolean =>
  BigInt(digits.slice(0, 7) + digits.slice(9) + digits.slice(7, 9)) % 97n === 1n
