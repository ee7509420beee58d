import { endOfField, readInteger, unescapeField, unescapeText } from '../copy-lines.ts'

/** Where a row stands in its file: the line that it began on, and its own text. */
export type RowPlace = { line: number; start: number; size: number }

/** A row as PostgreSQL sends it for a sheet: its place, what is to be put into words, and what is XML already. */
export type ResultRow = RowPlace & { result: string; cells: Buffer }

/** How many fields are to be put into words: state, risk, charge, repairs, what was said as code, what was said as text. */
const fieldsOfResult = 6

export const parseResult = (bytes: Buffer, from: number, end: number): ResultRow => {
  const place = readPlace(bytes, from)
  let at = place.end
  for (let field = 0; field < fieldsOfResult; field++) at = endOfField(bytes, at + 1)
  const result = bytes.toString('latin1', place.end + 1, at)
  return { ...place.row, result, cells: unescapeField(bytes.subarray(at + 1, end)) }
}

export const parseReject = (bytes: Buffer, from: number, end: number): ResultRow => {
  const { row, end: at } = readPlace(bytes, from)
  return { ...row, result: bytes.toString('latin1', at + 1, end), cells: nothing }
}

/** The fields of what is to be put into words; null where there is nothing. */
export const fieldsOf = (result: string): (string | null)[] =>
  Buffer.from(result, 'latin1').toString().split('\t').map(unescapeText)

const readPlace = (bytes: Buffer, from: number): { row: RowPlace; end: number } => {
  const first = endOfField(bytes, from)
  const second = endOfField(bytes, first + 1)
  const end = endOfField(bytes, second + 1)
  const [line, start] = [readInteger(bytes, from, first), readInteger(bytes, first + 1, second)]
  return { row: { line, start, size: readInteger(bytes, second + 1, end) }, end }
}

const nothing = Buffer.alloc(0)
