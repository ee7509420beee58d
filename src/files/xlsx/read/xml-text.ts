import { damagedPart, FileProblem } from '../../file-problem.ts'

/** The attributes of a tag, their values as they are written. */
export const attributesIn = (text: string, part: string): Map<string, string> => {
  const found = new Map<string, string>()
  for (let at = nextAttribute(text, 0); at < text.length; ) {
    const { nameEnd, quote, end } = attributeAt(text, at, part)
    const name = text.slice(at, nameEnd)
    if (found.has(name)) throw damagedPart(part, ['attribute_twice'])
    found.set(name, text.slice(quote + 1, end))
    at = nextAttribute(text, end + 1)
  }
  return found
}

/** One attribute as it is written. */
export const attributeIn = (text: string, name: string, part: string): string | undefined => {
  const found: (string | undefined)[] = [undefined]
  pickAttributes(text, [name], found, part)
  return found[0]
}

/** Several attributes at once, each at the index of its name in `names`: a sheet needs this for each of its cells. */
export const pickAttributes = (
  text: string,
  names: readonly string[],
  into: (string | undefined)[],
  part: string,
): void => {
  into.fill(undefined)
  for (let at = nextAttribute(text, 0); at < text.length; ) {
    const { nameEnd, quote, end } = attributeAt(text, at, part)
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string
      if (at + name.length === nameEnd && text.startsWith(name, at)) into[i] = text.slice(quote + 1, end)
    }
    at = nextAttribute(text, end + 1)
  }
}

const attributeAt = (text: string, at: number, part: string): { nameEnd: number; quote: number; end: number } => {
  const equals = text.indexOf('=', at)
  const quote = equals < 0 ? -1 : quoteAfter(text, equals + 1)
  const end = quote < 0 ? -1 : text.indexOf(text.charCodeAt(quote) === doubleQuote ? '"' : "'", quote + 1)
  if (end < 0) throw damagedPart(part, ['tag_malformed'])
  let nameEnd = equals
  while (text.charCodeAt(nameEnd - 1) <= space) nameEnd--
  return { nameEnd, quote, end }
}

const nextAttribute = (text: string, from: number): number => {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= space) at++
  return at
}

const quoteAfter = (text: string, from: number): number => {
  const at = nextAttribute(text, from)
  const code = text.charCodeAt(at)
  return code === doubleQuote || code === singleQuote ? at : -1
}

const space = 0x20
const doubleQuote = 0x22
const singleQuote = 0x27

/** Text with its entities replaced: the five of XML and those by number. Any other could only come from a DTD. */
export const decodeEntities = (text: string, part: string): string => {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&\s]{0,10};)?/g, (_, found: string | undefined) => {
    if (!found) throw damagedPart(part, ['lone_ampersand'])
    const name = found.slice(0, -1)
    const character = named.get(name) ?? (name.startsWith('#') ? byNumber(name) : undefined)
    if (character === undefined) throw new FileProblem(['forbidden_xml', part])
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
