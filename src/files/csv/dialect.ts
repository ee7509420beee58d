export const delimiters = [';', ',', '\t', '|'] as const

export type Delimiter = (typeof delimiters)[number]

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** How a file is written, so that it can be read and returned in the same form. */
export type Dialect = {
  encoding: Encoding
  bom: boolean
  delimiter: Delimiter
  quote: '"'
  newline: '\r\n' | '\n' | '\r'
  /** The first line is Excel's directive `sep=;`. */
  sepLine: boolean
  /** The first line (after the directive) names the columns. */
  header: boolean
  /** The line that names the columns, if titles stand above it. */
  headerLine?: number
  /** Each line is a record, whatever it holds: the rows of a sheet, whose cells may contain line ends. */
  lineIsRecord?: true
  decimal: ',' | '.'
}

/**
 * What ends a record. Files that several programs edited mix `\r\n` and `\n`; a lone `\r` ends one only in old Mac files.
 * `\r\r\n` is what programs on Windows make of `\r\n` when they write it as text; it is written as `\r\n` again.
 */
export const recordEnds = (newline: Dialect['newline']): string[] =>
  newline === '\r' ? ['\r\n', '\r'] : ['\r\n', '\n', '\r\r\n']

/** A text that Vigia adds as a cell: it starts no formula and ends no cell. */
export const csvText = (value: string): string => {
  const cell = inert(value)
  return /[";,|\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The same on one line, for a writer that does its own quoting. */
export const inertLine = (text: string): string => inert(text.replace(/[\s\p{Cc}]+/gu, ' ').trim())

/** Text from outside must not start a formula; a plain number does not. */
const inert = (value: string): string =>
  /^[\s\p{Cc}]*[-=+@＝＋－＠]/u.test(value) && !/^-?[0-9]+([.,][0-9]+)?$/.test(value) ? `'${value}` : value
