import { maskDocument, readDocument } from './document.ts'

/**
 * Masks every CPF and CNPJ in a text.
 *
 * A number with the punctuation of a document is always masked, mistyped or not. Without punctuation the check digits
 * decide, so that of a hundred other numbers of that length only one is masked by mistake.
 */
export const maskDocuments = (text: string): string =>
  replaceOverlapping(replaceOverlapping(text, cnpjs, maskCnpj), cpfs, maskCpf)

/** Masks every text in a value, however deep. */
export const maskTexts = <T>(value: T): T => {
  if (typeof value === 'string') return maskDocuments(value) as T
  if (Array.isArray(value)) return value.map(maskTexts) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskTexts(each)])) as T
}

/** What people write between the groups: plain, or escaped in JSON or in an address, even twice. */
const SEPARATOR = String.raw`(?:[.\-/ ]|\\+/|%(?:25)*2[def0])?`
/** Letters may precede the digits (`cpf529…`). Other digits may not, unless they end an escape such as %20. */
const DIGITS_BEGIN = String.raw`(?<=^|\D|%[\da-f]{2})`
/** If letters may follow, only these show where a number begins; an escaped line break ends in a letter of its own. */
const TOKEN_BEGINS = String.raw`(?<=^|[^\da-z]|%[\da-f]{2}|\\[nrt]|cnpj)`

const grouped = (unit: string, lengths: number[]) => lengths.map((length) => `${unit}{${length}}`).join(SEPARATOR)
const checkDigitsAfter = (groups: string) => `${groups}${SEPARATOR}\\d{2}`

const digitCnpj = `${DIGITS_BEGIN}${checkDigitsAfter(grouped('\\d', [2, 3, 3, 4]))}(?!\\d)`
const letterCnpj = `${TOKEN_BEGINS}${checkDigitsAfter(grouped('[\\da-z]', [2, 3, 3, 4]))}(?![\\da-z])`
const cnpjs = new RegExp(`${digitCnpj}|${letterCnpj}`, 'gim')
/** Systems with one column of 14 write zeros before a CPF. */
const cpfs = new RegExp(`${DIGITS_BEGIN}0{0,3}${checkDigitsAfter(grouped('\\d', [3, 3, 3]))}(?!\\d)`, 'gim')

const maskCnpj = (found: string): string | undefined => {
  const written = unescapeSeparators(found)
  const number = written.replace(/[^\da-z]/gi, '').toUpperCase()
  const formatted = /^[\da-z]{2}\.[\da-z]{3}\.[\da-z]{3}\/[\da-z]{4}-\d{2}$/i.test(written)
  return formatted || 'document' in readDocument(number, 'CNPJ') ? maskDocument(number) : undefined
}

const maskCpf = (found: string): string | undefined => {
  const written = unescapeSeparators(found)
  const number = written.replace(/\D/g, '').slice(-11)
  const formatted = /^\d{3}\.\d{3}\.\d{3}-\d{2}$/.test(written)
  return formatted || 'document' in readDocument(number, 'CPF') ? maskDocument(number) : undefined
}

const meanings: Record<string, string> = { d: '-', e: '.', f: '/', '0': ' ' }

const unescapeSeparators = (text: string) =>
  text
    .replace(/%(?:25)*2([def0])/gi, (_, letter: string) => meanings[letter.toLowerCase()] ?? '')
    .replace(/\\+\//g, '/')

/** Like `replaceAll`, but a match that stays unchanged does not hide one that begins inside it. */
const replaceOverlapping = (text: string, pattern: RegExp, replace: (found: string) => string | undefined): string => {
  let result = ''
  let done = 0
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const replacement = replace(match[0])
    pattern.lastIndex = replacement === undefined ? match.index + 1 : pattern.lastIndex
    if (replacement === undefined) continue
    result += text.slice(done, match.index) + replacement
    done = pattern.lastIndex
  }
  return result + text.slice(done)
}

/**
 * Masks a name for people who must not read it: enough remains to recognise someone they know, not enough to learn who it
 * is. `Maria da Conceição` is `Ma*** da Con***`.
 */
export const maskName = (name: string): string =>
  name.trim().replace(/[\p{L}\p{N}]+/gu, (token) => {
    const letters = [...token]
    return letters.length <= 2 ? token : `${letters.slice(0, Math.min(3, Math.ceil(letters.length / 3))).join('')}***`
  })

/** Masks a cell that is meant as a document, mistyped or not: enough remains to recognise it, not enough to know it. */
export const maskCell = (cell: string): string => {
  const parsed = readDocument(cell)
  if ('document' in parsed) return maskDocument(parsed.document.number)
  const text = maskDocuments(cell)
  const digits = text.match(/\d/g)?.length ?? 0
  if (digits < 7) return text
  const lastShown = Math.min(digits - 2, 3 + mostShown)
  let seen = 0
  return text.replace(/\d/g, (digit) => {
    seen++
    return seen <= 3 || seen > lastShown ? '*' : digit
  })
}

/** As many digits as the mask of a CPF shows, however many numbers the cell has. */
const mostShown = 6
