import { type Price, priceOf, type UnitPrices } from '../../domain/amount.ts'
import { cellXml, textCellXml } from '../../files/xlsx/write/cell-xml.ts'
import { type SheetToWrite, writeWorkbook } from '../../files/xlsx/write-workbook.ts'
import { type WorkbookLabels, workbookLabels } from '../../messages/labels.ts'
import type { Language } from '../../messages/languages.ts'
import { term } from '../../messages/term.ts'
import type { Batch } from '../../store/batches/batches.ts'
import { streamResults } from '../../store/batches/results.ts'
import { addUpTotals, type RiskTotals, readKeptTotals } from '../../store/batches/risk.ts'
import type { Sql } from '../../store/connect.ts'
import { documentColumns } from '../../views/own-row.ts'
import type { AtomicFile } from '../atomic-file.ts'
import type { Manifest } from '../manifest.ts'
import type { Sources } from '../report-turn.ts'
import { sheetColumns } from '../result-columns.ts'
import { detailOf, ResultRow } from '../result-row.ts'
import { ByteWindow } from '../sliced-text.ts'
import { aboutSheet } from './about-sheet.ts'
import { type OwnCells, openOwnCells, openUnreadSheets } from './own-cells.ts'
import { mergedDownTo, type OwnHead, readOwnHead } from './own-head.ts'
import { SheetResults } from './sheet-results.ts'
import { summarySheet } from './summary-sheet.ts'

type WorkbookOptions = {
  language: Language
  timezone: string
  now: Date
  prices: UnitPrices | null
  spend: Manifest['spend']
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
  const totals = batch.kind === 'analysis' ? await readTotals(sources.tx, batch.id) : null
  const row = new ResultRow(batch.kind)
  const result = new SheetResults(row, batch.kind, labels)
  const price = priceOf(options.prices, batch.kind, options.spend.charged)
  const title = labels.title(batch.fileName ?? batch.name)
  const properties = { title, creator: 'Vigia', created: options.now }
  await using others = await openUnreadSheets(sources.sql, batch, labels)
  const workbook: ReportWorkbook = {
    styled: others?.styles != null,
    sources,
    batch,
    own,
    totals,
    row,
    result,
    rejected: 0,
    labels,
    price,
    options,
  }
  await writeWorkbook(file.asSink(), { properties, sheets: sheetsOf(workbook), ...(others && { others }) })
  return { states: statesOf(workbook), rejected: workbook.rejected }
}

type ReportWorkbook = {
  /** Whether cells of the caller have the styles of their workbook. */
  styled: boolean
  sources: Sources
  batch: Batch
  own: OwnHead
  totals: RiskTotals | null
  row: ResultRow
  result: SheetResults
  /** How many were written so far. */
  rejected: number
  labels: WorkbookLabels
  price: Price | null
  options: WorkbookOptions
}

/** Yields the sheets in order: the summary is made once the rows before it are counted. */
function* sheetsOf(workbook: ReportWorkbook): Generator<SheetToWrite> {
  const { batch, labels, result, totals, price, options } = workbook
  yield resultSheet(workbook)
  const { spend } = options
  const fileName = batch.fileName ?? batch.name
  const several = batch.documentsPerRow > 1
  yield summarySheet(
    { fileName, several, names: result.names, outcomes: result.outcomes, spend, price, totals },
    labels,
  )
  yield rejectSheet(workbook)
  yield aboutSheet(batch, options, labels)
}

const resultSheet = ({ styled, sources, batch, own, row, result, labels, options }: ReportWorkbook): SheetToWrite => {
  const merged: string[] = []
  const { localized, typed } = sheetColumns(batch.kind)
  const block = [...localized, ...typed].map(({ label, width }) => ({ header: label(labels), width }))
  const documents = documentColumns(batch)
  const added =
    documents.length === 0
      ? block
      : documents.flatMap((name) => block.map(({ header, width }) => ({ header: `${name}: ${header}`, width })))
  // A row that was rejected for too many cells is complete among the rejects.
  const cells = openOwnCells(sources.sql, batch, { cut: true, styled, merged })
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
const rejectSheet = (workbook: ReportWorkbook): SheetToWrite => {
  const { styled, sources, batch, labels, options } = workbook
  const added = [
    { header: labels.columns.line, width: 10 },
    { header: labels.columns.reason, width: 42 },
    { header: labels.columns.detail, width: 60 },
  ]
  const row = new ResultRow(batch.kind)
  const cells = openOwnCells(sources.sql, batch, { cut: false, styled })
  const write: WriteRow = (window, cellsXml) => {
    if (row.text(row.at('rejection')) !== 'reason') return
    workbook.rejected++
    window.append(rowBegins)
    window.appendText(rejectCells(row, labels))
    window.appendText(cellsXml)
    window.append(rowEnds)
  }
  const lines = joinRows(sources, batch, { ...options, rejected: true }, row, cells, write)
  return { name: labels.sheets.rejects, columns: [...added, ...workbook.own.columns], rows: { lines } }
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

/** Stored if the batch was summed up since its last answer. */
const readTotals = async (tx: Sql, batchId: bigint): Promise<RiskTotals> =>
  (await readKeptTotals(tx, batchId)) ?? (await addUpTotals(tx, batchId))

const statesOf = ({ result }: ReportWorkbook): Map<string, number> => {
  const states = new Map<string, number>()
  for (const { state, rows } of result.outcomes) states.set(state, (states.get(state) ?? 0) + rows)
  return states
}
