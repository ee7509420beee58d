import { PassThrough, type Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { formatCents } from '../domain/amount.ts'
import { inertLine } from '../files/csv/dialect.ts'
import { cellType } from '../files/xlsx/cell-type.ts'
import { writeWorkbook } from '../files/xlsx/write-workbook.ts'

/** A table for download: text, integers, and amounts in cents. */
export type TableCell = string | number | { cents: bigint } | null
export type TableToTake = { title: string; columns: string[]; rows: TableCell[][] }

/** For Excel in Brazil: semicolons, comma decimals, a byte order mark. Text from outside cannot start a formula. */
export const csvOfTable = ({ columns, rows }: TableToTake): string =>
  `\uFEFF${csvOfRows([columns, ...rows.map((row) => row.map(csvCell))])}`

/** Lines with semicolons, as every CSV file that Vigia makes by itself has them. */
export const csvOfRows = (rows: readonly (readonly string[])[]): string =>
  stringify(rows as string[][], { delimiter: ';', record_delimiter: 'windows' })

export const csvCell = (cell: TableCell): string => {
  if (cell === null) return ''
  if (typeof cell === 'object') return formatCents(cell.cents, ',')
  return typeof cell === 'number' ? String(cell) : inertLine(cell)
}

/** A figure that is stored as text: a count, or an amount. */
export const figureCell = (text: string | null): TableCell => {
  if (text !== null && /^-?\d{1,15}$/.test(text)) return Number(text)
  return text !== null && /^-?\d+\.\d{2}$/.test(text) ? { cents: BigInt(text.replace('.', '')) } : text
}

/** The same as a workbook: documents as text, amounts as numbers. */
export const workbookOfTable = ({ title, columns, rows }: TableToTake, created: Date): Readable => {
  const sink = new PassThrough()
  const sheet = {
    name: title,
    columns: columns.map((header) => ({ header, width: Math.max(12, header.length + 2) })),
    rows: { cells: rows.map((row) => row.map(sheetCell)) },
  }
  writeWorkbook(sink, { properties: { title, creator: 'Vigia', created }, sheets: [sheet] }).catch((error) =>
    sink.destroy(error),
  )
  return sink
}

const sheetCell = (cell: TableCell) => {
  if (cell === null) return { text: '', type: cellType.empty }
  if (typeof cell === 'object') return { text: formatCents(cell.cents, '.'), type: cellType.number }
  return typeof cell === 'number' ? { text: String(cell), type: cellType.number } : { text: cell, type: cellType.text }
}
