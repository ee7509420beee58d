import { endOfField, readInteger, unescapeField, unescapeText } from '../copy-lines.ts'

/** The place of a row in its file: its first line, and its text. */
export type RowPlace = { line: number; start: number; size: number }

/**
 * A row as PostgreSQL sends it for a sheet: its place, the fields to format, and the cells that are XML already. How the
 * registry's name compares with that of the row stands before `after`.
 */
export type ResultRow = RowPlace & { result: string; cells: Buffer; registryName: string; after: Buffer }

/** The number of fields to format: state, risk, charge, repairs, message, text without a message, reason of a reject. */
const fieldsOfResult = 7

export const parseResult = (bytes: Buffer, from: number, end: number): ResultRow => {
  const place = readPlace(bytes, from)
  let at = place.end
  for (let field = 0; field < fieldsOfResult; field++) at = endOfField(bytes, at + 1)
  const result = bytes.toString('latin1', place.end + 1, at)
  const named = endOfField(bytes, at + 1)
  const before = endOfField(bytes, named + 1)
  return {
    ...place.row,
    result,
    registryName: unescapeText(bytes.toString('utf8', at + 1, named)) ?? '',
    cells: unescapeField(bytes.subarray(named + 1, before)),
    after: unescapeField(bytes.subarray(before + 1, end)),
  }
}

export const parseReject = (bytes: Buffer, from: number, end: number): ResultRow => {
  const { row, end: at } = readPlace(bytes, from)
  return { ...row, result: bytes.toString('latin1', at + 1, end), cells: nothing, registryName: '', after: nothing }
}

/** The fields to format; null for an empty one. */
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
