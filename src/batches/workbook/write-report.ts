import { priceOf, type UnitPrices } from '../../domain/amount.ts'
import { openCsv } from '../../files/csv/read.ts'
import type { CsvRecord } from '../../files/csv/record-parser.ts'
import { columnOf } from '../../files/xlsx/cell-type.ts'
import type { Workbook } from '../../files/xlsx/read-workbook.ts'
import { cellXml, textCellXml } from '../../files/xlsx/write/cell-xml.ts'
import type { SheetColumn } from '../../files/xlsx/write/sheet-xml.ts'
import { type SheetToWrite, writeWorkbook } from '../../files/xlsx/write-workbook.ts'
import { type WorkbookLabels, workbookLabels } from '../../messages/labels.ts'
import type { Language } from '../../messages/languages.ts'
import { term } from '../../messages/term.ts'
import type { Batch } from '../../store/batches/batches.ts'
import { streamResults } from '../../store/batches/results.ts'
import { readRiskTotals } from '../../store/batches/risk.ts'
import type { Database } from '../../store/connect.ts'
import { documentColumns } from '../../views/own-row.ts'
import type { AtomicFile } from '../atomic-file.ts'
import { type Layout, layoutOf, ownHeader } from '../layout.ts'
import type { Spend } from '../manifest.ts'
import type { Sources } from '../report-turn.ts'
import { sheetColumns } from '../result-columns.ts'
import { detailOf, ResultRow } from '../result-row.ts'
import { ByteWindow } from '../sliced-text.ts'
import { readStoredFile } from '../stored-file.ts'
import { type OwnCells, openOriginal, openOwnCells, openUnreadSheets } from './own-cells.ts'
import { createSheetResults, type SheetResults } from './sheet-results.ts'
import { aboutSheet, summarySheet } from './summary-sheet.ts'

type WorkbookOptions = {
  language: Language
  timezone: string
  now: Date
  prices: UnitPrices | null
  spend: Spend
}

/**
 * Writes the report of a batch as a workbook: the file with its results on the right, a summary, the rejects, an
 * explanation, and the other sheets of the caller's workbook. Returns the number of documents per state and of rejected
 * rows, so that the caller can check that none is missing. A rejected row must stand in the first sheet and among the rejects.
 */
export const writeReportWorkbook = async (
  sources: Sources,
  batch: Batch,
  file: AtomicFile,
  options: WorkbookOptions,
): Promise<{ states: Map<string, number>; rejected: number }> => {
  const labels = workbookLabels(options.language)
  const own = await readOwnHead(sources.sql, batch)
  const totals = batch.kind === 'analysis' ? await readRiskTotals(sources.tx, batch.id) : null
  const row = new ResultRow(batch.kind)
  const result = createSheetResults(row, batch.kind, labels)
  const fileName = batch.fileName ?? batch.name
  await using workbook = await openOriginal(sources.sql, batch)
  const others = workbook && (await openUnreadSheets(workbook, layoutOf(batch), labels))
  const writing = { workbook, styled: others?.styles != null, sources, batch, own, labels, options, rejected: 0 }
  /** In order: the summary is made once the rows before it are counted. */
  const sheets = function* (): Generator<SheetToWrite> {
    yield resultSheet(writing, row, result)
    const { outcomes, names } = result
    const { spend } = options
    const price = priceOf(options.prices, batch.kind, spend.charged)
    yield summarySheet({ fileName, several: batch.documentsPerRow > 1, names, outcomes, spend, price, totals }, labels)
    yield rejectSheet(writing)
    yield aboutSheet(batch, options, labels)
  }
  const properties = { title: labels.title(fileName), creator: 'Vigia', created: options.now }
  await writeWorkbook(file.asSink(), { properties, sheets: sheets(), ...(others && { others }) })
  return { states: statesOf(result), rejected: writing.rejected }
}

type Writing = {
  /** The caller's workbook, if the batch came as one. */
  workbook: Workbook | null
  /** Whether cells of the caller have the styles of their workbook. */
  styled: boolean
  sources: Sources
  batch: Batch
  own: OwnHead
  labels: WorkbookLabels
  options: WorkbookOptions
  /** How many were written so far. */
  rejected: number
}

const resultSheet = (
  { workbook, styled, sources, batch, own, labels, options }: Writing,
  row: ResultRow,
  result: SheetResults,
): SheetToWrite => {
  const merged: string[] = []
  const { localized, typed } = sheetColumns(batch.kind)
  const block = [...localized, ...typed].map(({ label, width }) => ({ header: label(labels), width }))
  const documents = documentColumns(batch)
  const added =
    documents.length === 0
      ? block
      : documents.flatMap((name) => block.map(({ header, width }) => ({ header: `${name}: ${header}`, width })))
  // A row that was rejected for too many cells is complete among the rejects.
  const cells = openOwnCells(sources.sql, batch, workbook, { cut: true, styled, merged })
  const lines = joinRows(sources, batch, options, row, cells, (window, cellsXml) => {
    if (row.part === 0) {
      window.append(rowBegins)
      window.appendText(cellsXml)
    }
    result.append(window, cells.name())
    if (row.part === batch.documentsPerRow - 1) window.append(rowEnds)
  })
  return {
    name: labels.sheets.results,
    titles: own.titles,
    columns: [...own.columns, ...added],
    rows: { lines },
    merged: () => (own.inPlace ? mergedDownTo(merged, own.titles.length) : []),
  }
}

/** The reason stands first: a row that was rejected for too many cells may be wider than the header. */
const rejectSheet = (writing: Writing): SheetToWrite => {
  const { workbook, styled, sources, batch, own, labels, options } = writing
  const added = [
    { header: labels.columns.line, width: 10 },
    { header: labels.columns.reason, width: 42 },
    { header: labels.columns.detail, width: 60 },
  ]
  const row = new ResultRow(batch.kind)
  const cells = openOwnCells(sources.sql, batch, workbook, { cut: false, styled })
  const write: WriteRow = (window, cellsXml) => {
    if (row.text(row.at('rejection')) !== 'reason') return
    writing.rejected++
    window.append(rowBegins)
    window.appendText(rejectCells(row, labels))
    window.appendText(cellsXml)
    window.append(rowEnds)
  }
  const lines = joinRows(sources, batch, { ...options, rejected: true }, row, cells, write)
  return { name: labels.sheets.rejects, columns: [...added, ...own.columns], rows: { lines } }
}

const rejectCells = (row: ResultRow, { terms, formatMessage }: WorkbookLabels): string =>
  cellXml({ text: `${row.line}`, type: 'n', look: 'integer' }) +
  textCellXml(term(terms.rejectReasons, row.text(row.at('rejectReason')))) +
  textCellXml(detailOf(row, formatMessage))

type WriteRow = (window: ByteWindow, cellsXml: string) => void

/** Joins the rows of a sheet from PostgreSQL's results and the caller's file. */
async function* joinRows(
  { tx }: Sources,
  { id, kind, documentsPerRow }: Batch,
  { timezone, rejected }: { timezone: string; rejected?: boolean },
  row: ResultRow,
  own: OwnCells,
  write: WriteRow,
): AsyncGenerator<Uint8Array> {
  const window = new ByteWindow()
  try {
    for await (const bytes of streamResults(tx, id, { kind, documentsPerRow, timezone, rejected })) {
      row.feed(bytes)
      while (row.next()) {
        const mine = own.at(row)
        const cellsXml = typeof mine === 'string' ? mine : await mine
        write(window, cellsXml)
      }
      if (window.size >= pieceSize) yield taken(window)
    }
    if (window.size > 0) yield taken(window)
    await own.end()
  } finally {
    await own.close()
  }
}

/** A copy: another thread compresses it while the next rows overwrite the buffer. */
const taken = (window: ByteWindow): Buffer => {
  const piece = Buffer.from(window.slice())
  window.letGo(window.size)
  return piece
}

const rowBegins = Buffer.from('<row>')
const rowEnds = Buffer.from('</row>\n')
const pieceSize = 128 * 1024

const statesOf = ({ outcomes }: SheetResults): Map<string, number> => {
  const states = new Map<string, number>()
  for (const { state, rows } of outcomes) states.set(state, (states.get(state) ?? 0) + rows)
  return states
}

/** `inPlace`: titles stand on the lines that they have in the file. */
type OwnHead = { titles: string[][]; inPlace: boolean; columns: SheetColumn[] }

/** The caller's titles and columns, from the header and the first rows of the file. */
const readOwnHead = async (sql: Database, batch: Batch): Promise<OwnHead> => {
  const layout = layoutOf(batch)
  const csv = await openCsv(readStoredFile(sql, batch.fileId!), layout.dialect, { batchSize: 100 })
  try {
    const header = namesOf(csv.header?.cells ?? ownHeader(layout), layout)
    const { value: first } = await csv.records[Symbol.asyncIterator]().next()
    return { ...titlesOf(csv), columns: ownColumns(header, (first as CsvRecord[] | undefined) ?? []) }
  } finally {
    await csv.close()
  }
}

/** A name, possibly empty, for each cell of the rows: notes on the right of a table have no header. */
const namesOf = (header: readonly string[], { columns }: Layout): string[] =>
  Array.from({ length: columns.width }, (_, at) => header[at] ?? '')

/** Titles keep their lines, so that the rows below keep theirs too, unless that would leave too many blank lines. */
const titlesOf = ({ above, header }: { above: CsvRecord[]; header: CsvRecord | null }): Omit<OwnHead, 'columns'> => {
  const last = Math.min((header?.line ?? 1) - 1, mostTitles)
  if (above.length === 0 || above.at(-1)!.line > last) {
    return { titles: above.map(({ cells }) => cells), inPlace: false }
  }
  const titles = Array.from({ length: last }, (): string[] => [])
  for (const { line, cells } of above) titles[line - 1] = cells
  return { titles, inPlace: true }
}

const mostTitles = 50

/** The caller's columns, as wide as the header and the first rows of the file need. */
const ownColumns = (header: readonly string[], first: readonly CsvRecord[]): SheetColumn[] =>
  header.map((name, at) => {
    const longest = Math.max(name.length, ...first.slice(0, 200).map(({ cells }) => longestLine(cells[at] ?? '')))
    return { header: name, width: Math.min(44, Math.max(9, longest + 3)), own: true }
  })

const longestLine = (text: string): number => Math.max(...text.split(/\r?\n/).map((line) => line.length))

type Range = { text: string; left: number; right: number; top: number; bottom: number }

/** Of the merged ranges of a sheet, those down to a row. Excel refuses a file in which two of them overlap. */
export const mergedDownTo = (ranges: readonly string[], last: number): string[] => {
  const kept: Range[] = []
  for (const text of ranges) {
    const range = rangeIn(text)
    if (!range || range.bottom > last || kept.length >= mostKept) continue
    if (!kept.some((other) => overlap(range, other))) kept.push(range)
  }
  return kept.map(({ text }) => text)
}

const mostKept = 500

const rangeIn = (text: string): Range | null => {
  const [, from = '', top = '', to = '', bottom = ''] =
    /^([A-Z]{1,3})([1-9]\d{0,6}):([A-Z]{1,3})([1-9]\d{0,6})$/.exec(text) ?? []
  const range = {
    text,
    left: columnOf(`${from}1`),
    right: columnOf(`${to}1`),
    top: Number(top),
    bottom: Number(bottom),
  }
  return range.left <= range.right && range.top <= range.bottom && range.right <= 16_384 ? range : null
}

const overlap = (one: Range, other: Range): boolean =>
  one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom
