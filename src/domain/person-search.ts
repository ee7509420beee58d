import { documentTypeOf, readDocument } from './document.ts'
import { cleanCell } from './document-repair.ts'

/** Finds one person in texts, in any spelling of their document. No other code decides whether a text is about a person. */
export type PersonSearch = {
  document: string
  /** The part that every spelling contains once `gapCharacters` are removed; SQL selects by it, and `isIn` decides. */
  core: string
  isIn(text: string): boolean
  /** The same text with `erased` in place of the person. */
  erase(text: string): string
}

/**
 * A text is about a person if it is their document or contains all of it: with any mask, without its leading zeros, or with
 * zeros before it. Digits inside another number or another document never are.
 *
 * Without its zeros a document must still have eight digits: a shorter number is more often an age, an amount or a code.
 */
export const searchFor = (document: string): PersonSearch => {
  const core = document.replace(/^0+/, '')
  const shortest = core.length >= fewestDigits ? core.length : document.length
  const pattern = patternOf(document, core)
  const isCompleteCell = (text: string) => isCellAbout(text, document, core, shortest)
  const isTheirs = (text: string, start: number, found: string) => !isInsideAnother(text, start, found, document)
  return {
    document,
    core,
    isIn(text) {
      if (text.length < shortest || !anyDigit.test(text)) return false
      const isComplete = isCompleteCell(text)
      if (isComplete !== undefined) return isComplete
      return text.matchAll(pattern).some((match) => isTheirs(text, match.index, match[0]))
    },
    erase(text) {
      if (text.length < shortest || !anyDigit.test(text)) return text
      const isComplete = isCompleteCell(text)
      if (isComplete !== undefined) return isComplete ? erased : text
      return text.replace(pattern, (found, at: number) => (isTheirs(text, at, found) ? erased : found))
    },
  }
}

const erased = 'erased'
const fewestDigits = 8
const anyDigit = /[\d\uff10-\uff19]/
const longestCell = 64

/** What may separate the characters of a document: signs of a mask, dashes, spaces and invisible characters. */
export const gapCharacters =
  '.-/\\,_ \u00a0\u00ad\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u200e\u200f\u2010\u2011\u2012\u2013\u2014\u2015\u202a\u202b\u202c\u202d\u202e\u202f\u2060\u2212\ufeff'

/** Digits and capital letters in their East Asian width, in the order of `plainCharacters`. */
export const plainCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const wideCharacters = [...plainCharacters].map((each) => widened(each)).join('')

function widened(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfee0)
}

/** Whether the complete text is the person's document; undefined if it is more than one document, or none. */
const isCellAbout = (cell: string, document: string, core: string, shortest: number): boolean | undefined => {
  if (cell.length > longestCell) return undefined
  const parsed = readDocument(cell)
  if ('document' in parsed) return parsed.document.number === document
  const cleaned = cleanCell(cell)
  const bare = 'bare' in cleaned ? cleaned.bare : cell.replace(gaps, '').toUpperCase()
  return bare.length >= shortest && bare.replace(/^0+/, '') === core ? true : undefined
}

const classOf = (characters: string): string => `[${characters.replace(/[\\\-/.]/g, '\\$&')}]`
/** A comma in a cell of its own is as often between two numbers. */
const gaps = new RegExp(classOf(gapCharacters.replace(/[,_]/g, '')), 'g')

/** Positions of the signs of a mask, counted in characters from the left. */
const maskPlaces = { CPF: [3, 6, 9], CNPJ: [2, 5, 8, 12] }

/**
 * Inside a longer text signs are allowed only where a mask has them, so that parts of two numbers are never read as one. If
 * zeros are missing, a number must not continue after a sign either: `678/0001-95` ends many a CNPJ.
 */
const patternOf = (document: string, core: string): RegExp => {
  const type = documentTypeOf(document)
  const zeros = document.length - core.length
  const sign = `${classOf(gapCharacters)}{0,3}`
  const signOnly = `${classOf(gapCharacters.replace(/\s/g, ''))}{0,2}`
  const written = (from: number, between: string) =>
    [...document]
      .slice(from)
      .map((each, i) => (i > 0 && maskPlaces[type].includes(from + i) ? between : i > 0 ? invisible : '') + wide(each))
      .join('')
  const hasLetters = /[A-Z]/.test(document)
  const [begin, end] = hasLetters ? ['(?<=^|[^\\da-zA-Z]|cnpj|CNPJ)', '(?![\\da-zA-Z])'] : ['(?<!\\d)', '(?!\\d)']
  const spacedOut = `(?<!\\d ?)${[...document].map(wide).join(' ')}(?! ?\\d)`
  const full = `${begin}${type === 'CPF' ? '0{0,3}' : ''}${written(0, sign)}${end}|${spacedOut}`
  if (zeros === 0 || core.length < fewestDigits) return new RegExp(full, 'g')
  const short = `(?<!\\d|\\d[.\\-/\\\\])0{0,${zeros - 1}}${written(zeros, signOnly)}(?!\\d|[.\\-/\\\\]\\d)`
  return new RegExp(`${full}|${hasLetters ? begin : ''}${short}${hasLetters ? end : ''}`, 'g')
}

const invisible = '[\\u00ad\\u200b-\\u200f\\u2060\\ufeff]?'
const wide = (character: string): string => {
  const cases = [...new Set([character, character.toLowerCase()])]
  return `[${cases.flatMap((each) => [each, widened(each)]).join('')}]`
}

/** Letters and zeros may surround a document (`cpf529…`), unless together they are another CNPJ. */
const isInsideAnother = (text: string, start: number, found: string, document: string): boolean => {
  const before = /[\da-z]*$/i.exec(text.slice(Math.max(0, start - longestCell), start))![0]
  const after = /^[\da-z]*/i.exec(text.slice(start + found.length, start + found.length + longestCell))![0]
  const parsed = readDocument(`${before}${found}${after}`)
  return 'document' in parsed && parsed.document.number !== document
}
