import { parse } from 'csv-parse/sync'
import { readDocument } from '../../domain/document.ts'
import { namesWhatIsAsked } from '../columns/find-columns.ts'
import { mostColumns } from '../columns/find-header.ts'
import { FileProblem } from '../file-problem.ts'
import { type Delimiter, type Dialect, delimiters, recordEnds } from './dialect.ts'

type Layout = Pick<Dialect, 'delimiter' | 'newline' | 'sepLine' | 'header' | 'decimal'>

/** Reads delimiter, line ending, `sep=` line and header from the beginning of a text. */
export const detectLayout = (head: string, complete: boolean): Layout => {
  if (head.trim() === '') throw new FileProblem(['file_empty'])
  const newline = detectNewline(head)
  const directive = sepDirective(head)
  const text = cutAtLineEnd(head.slice(directive?.length ?? 0), complete)
  const delimiter = directive?.delimiter ?? detectDelimiter(text, newline)
  const records = firstRecords(text, delimiter, newline)
  const header = !(records.every((cells) => cells.length === 1) && isBareCell(records[0]?.[0] ?? ''))
  return { delimiter, newline, sepLine: directive !== undefined, header, decimal: detectDecimal(delimiter, records) }
}

/** The line ending of the first line; quoted cells may hold other ones. */
const detectNewline = (head: string): Dialect['newline'] => {
  const unquoted = head.replace(/"[^"]*(?:""[^"]*)*"/g, '')
  const lines = /[\r\n]/.test(unquoted) ? unquoted : head
  const [first = '\r\n'] = /\r\n|\n|\r/.exec(lines) ?? []
  if (first !== '\r') return first as '\r\n' | '\n'
  const count = (lineEnding: RegExp) => lines.match(lineEnding)?.length ?? 0
  return count(/\r(?!\r?\n)/g) > count(/\n/g) ? '\r' : lines.includes('\r\n') ? '\r\n' : '\n'
}

/** Excel obeys a first line `sep=;` and does not show it. */
const sepDirective = (head: string): { delimiter: Delimiter; length: number } | undefined => {
  const [line, separator] = /^"?sep=(.)"?[;,|\t]*(?:\r{0,2}\n|\r|$)/i.exec(head) ?? []
  if (line === undefined) return undefined
  const delimiter = delimiters.find((known) => known === separator)
  if (delimiter) return { delimiter, length: line.length }
  throw new FileProblem(['at_line', 1, ['unknown_separator', separator ?? '']])
}

const cutAtLineEnd = (text: string, complete: boolean): string => {
  if (complete) return text
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'))
  return end < 0 ? text : text.slice(0, end + 1)
}

/**
 * The delimiter with which a column of documents is found, by its name or in the first line. Otherwise the one that splits most lines like the first, or,
 * where the first line is a title, most lines alike. A single column shows no delimiter, so Excel's own is used.
 */
const detectDelimiter = (text: string, newline: Dialect['newline']): Delimiter => {
  if (scientific.test(text.trimStart())) return ';'
  const candidates = delimiters.map((delimiter) => weigh(delimiter, firstRecords(text, delimiter, newline)))
  const named = candidates.filter(({ header }) => header)
  if (named.length === 0 && candidates.every(({ isOneColumn }) => isOneColumn)) return ';'
  const cutting = candidates.filter(({ columns }) => columns > 1)
  cutting.sort((a, b) => b.score - a.score || a.naming - b.naming || b.columns - a.columns)
  return cutting[0]?.delimiter ?? ';'
}

const weigh = (delimiter: Delimiter, records: string[][]) => {
  const header = records.find((cells) => cells.length > 1 && cells.length <= mostColumns && namesWhatIsAsked(cells))
  const [first = []] = records
  const isOneColumn = first.length === 1 && namesWhatIsAsked(first)
  const asFirst = { columns: (header ?? first).length, share: shareOf(records, (header ?? first).length) }
  const usual = usualWidth(records)
  const { columns, share } = asFirst.columns > 1 && asFirst.share >= usual.share / 2 ? asFirst : usual
  const documents = first.some((cell) => 'document' in readDocument(cell)) ? 1 : 0
  const score = (header ? 2 : documents) + share
  return { delimiter, header, isOneColumn, columns, naming: shortestName(header), score }
}

/** `documento,a` names the documents as `documento` does, but contains a delimiter. */
const shortestName = (header: string[] = []): number =>
  Math.min(...header.filter((name) => namesWhatIsAsked([name])).map((name) => name.length), 1_000)

const shareOf = (records: string[][], columns: number): number =>
  records.filter((cells) => cells.length === columns).length / Math.max(1, records.length)

/** The number of columns that most lines have, and the share of lines that have it. */
const usualWidth = (records: string[][]): { columns: number; share: number } => {
  const widths = Map.groupBy(records, (cells) => cells.length)
  const [[columns] = [0]] = [...widths].sort(([, a], [, b]) => b.length - a.length)
  return { columns, share: shareOf(records, columns) }
}

const sampled = 100

/** A stray quote in the sample must not swallow it: in that case quotes are read as ordinary characters. */
const firstRecords = (text: string, delimiter: Delimiter, newline: Dialect['newline']): string[][] => {
  const options = {
    delimiter,
    record_delimiter: recordEnds(newline),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    to: sampled,
  }
  try {
    return parse(text, options)
  } catch {
    return parse(text, { ...options, quote: false })
  }
}

/** A column of documents may come without a header: its first cell is a document, or what a spreadsheet made of one. */
export const isBareCell = (cell: string): boolean => {
  const numeric = /^[\d.,/\s'="-]+$/.test(cell) && /\d/.test(cell)
  return numeric || scientific.test(cell) || 'document' in readDocument(cell)
}

/** A first line such as `1,23457E+13` is a ruined document, not two columns. */
const scientific = /^\d[.,]\d+E\+\d+\s*(?:[\r\n]|$)/i

/** Excel delimits by `;` where the comma separates decimals. With tab and `|`, the cells show the convention. */
const detectDecimal = (delimiter: Delimiter, records: string[][]): ',' | '.' => {
  if (delimiter === ';') return ','
  if (delimiter === ',') return '.'
  const count = (shape: RegExp) => records.flat().filter((cell) => shape.test(cell)).length
  return count(/^-?[\d,]*\d\.\d{1,2}$/) > count(/^-?[\d.]*\d,\d{1,2}$/) ? '.' : ','
}
