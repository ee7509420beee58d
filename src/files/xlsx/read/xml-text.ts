import { WorkbookProblem } from '../workbook-problem.ts'

/** Text with its entities replaced: the five of XML and those by number. Any other could only come from a DTD. */
export const decodeEntities = (text: string, part: string): string => {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&\s]{0,10};)?/g, (_, found: string | undefined) => {
    if (!found) throw new WorkbookProblem(['workbook_damaged', part, ['lone_ampersand']])
    const name = found.slice(0, -1)
    const character = named.get(name) ?? (name.startsWith('#') ? byNumber(name) : undefined)
    if (character === undefined) throw new WorkbookProblem(['forbidden_xml', part])
    return character
  })
}

/** A Map: an object would also know `constructor` and whatever else objects inherit. */
const named = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

const byNumber = (name: string): string | undefined => {
  const digits = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(name)
  if (!digits) return undefined
  const code = digits[1] ? Number.parseInt(digits[1], 16) : Number.parseInt(digits[2] as string, 10)
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}

/**
 * Excel writes a character that XML lacks as `_x000D_`, and an underscore that would look like it as `_x005F_`. A NUL
 * stays as it is written: no database stores one.
 */
export const unescapeCharacters = (text: string): string => {
  if (!text.includes('_x')) return text
  return text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (match, hex: string) =>
      hex === '0000' ? match : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .toWellFormed()
}

/** Space around a text counts only where the file says so. */
export const trimXmlSpace = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && isXmlSpace(text.charCodeAt(from))) from++
  while (to > from && isXmlSpace(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

const isXmlSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a
