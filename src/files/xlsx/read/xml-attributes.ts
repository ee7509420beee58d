import { WorkbookProblem } from '../workbook-problem.ts'

/** The attributes of a tag, their values as they are written. */
export function attributesIn(text: string, part: string): Map<string, string> {
  const found = new Map<string, string>()
  for (let at = nextAttribute(text, 0); at < text.length; ) {
    const { equals, quote, end } = attributeAt(text, at, part)
    const name = text.slice(at, equals).trimEnd()
    if (found.has(name)) throw new WorkbookProblem('damaged', { part, detail: 'an attribute is there twice' })
    found.set(name, text.slice(quote + 1, end))
    at = nextAttribute(text, end + 1)
  }
  return found
}

/** One of them, without making anything of the others: a sheet asks this for each of its cells. */
export function attributeIn(text: string, name: string, part: string): string | undefined {
  for (let at = nextAttribute(text, 0); at < text.length; ) {
    const { equals, quote, end } = attributeAt(text, at, part)
    if (text.startsWith(name, at) && (at + name.length === equals || text.slice(at, equals).trimEnd() === name))
      return text.slice(quote + 1, end)
    at = nextAttribute(text, end + 1)
  }
  return undefined
}

function attributeAt(text: string, at: number, part: string): { equals: number; quote: number; end: number } {
  const equals = text.indexOf('=', at)
  const quote = equals < 0 ? -1 : quoteAfter(text, equals + 1)
  const end = quote < 0 ? -1 : text.indexOf(text.charCodeAt(quote) === doubleQuote ? '"' : "'", quote + 1)
  if (end < 0) throw new WorkbookProblem('damaged', { part, detail: 'a tag is not well formed' })
  return { equals, quote, end }
}

function nextAttribute(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= space) at++
  return at
}

function quoteAfter(text: string, from: number): number {
  const at = nextAttribute(text, from)
  const code = text.charCodeAt(at)
  return code === doubleQuote || code === singleQuote ? at : -1
}

const space = 0x20
const doubleQuote = 0x22
const singleQuote = 0x27
