export const delimiters = [';', ',', '\t', '|'] as const

export type Delimiter = (typeof delimiters)[number]

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** How a file is written, so that it can be read and given back the same way. */
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
  /** The line that names them, where titles stand above it. */
  headerLine?: number
  /** A record is a line whatever it holds: the rows of a sheet, whose cells may have line ends of their own. */
  lineIsRecord?: true
  decimal: ',' | '.'
}

/**
 * What ends a record: files that went through several hands mix `\r\n` and `\n`, and a lone `\r` ends one only in old Mac
 * files. `\r\r\n` is what programs on Windows make of `\r\n` when they write it as text; it goes out as `\r\n` again.
 */
export const recordEnds = (newline: Dialect['newline']): string[] =>
  newline === '\r' ? ['\r\n', '\r'] : ['\r\n', '\n', '\r\r\n']
