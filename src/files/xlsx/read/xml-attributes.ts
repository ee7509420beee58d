import { WorkbookProblem } from '../workbook-problem.ts'

/** The attributes of a tag, their values as they are written. */
export const attributesIn = (text: string, part: string): Map<string, string> => {
  const found = new Map<string, string>()
  for (let at = nextAttribute(text, 0); at < text.length; ) {
    const { nameEnd, quote, end } = attributeAt(text, at, part)
    const name = text.slice(at, nameEnd)
    if (found.has(name)) throw new WorkbookProblem(['workbook_damaged', part, ['attribute_twice']])
    found.set(name, text.slice(quote + 1, end))
    at = nextAttribute(text, end + 1)
  }
  return found
}

/** One attribute, without parsing the others. */
export const attributeIn = (text: string, name: string, part: string): string | undefined => {
  for (let at = nextAttribute(text, 0); at < text.length; ) {
    const { nameEnd, quote, end } = attributeAt(text, at, part)
    if (at + name.length === nameEnd && text.startsWith(name, at)) return text.slice(quote + 1, end)
    at = nextAttribute(text, end + 1)
  }
  return undefined
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
  if (end < 0) throw new WorkbookProblem(['workbook_damaged', part, ['tag_malformed']])
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
