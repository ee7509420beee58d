import { type Price, priceOf, type UnitPrices } from '../../domain/amount.ts'
import type { Language } from '../../domain/languages.ts'
import { term } from '../../domain/terms/term.ts'
import { cellXml, textCellXml } from '../../files/xlsx/write/cell-xml.ts'
import { styleNumber } from '../../files/xlsx/write/styles-xml.ts'
import { type SheetToWrite, writeWorkbook } from '../../files/xlsx/write-workbook.ts'
import type { Batch } from '../../store/batches/batches.ts'
import { addUpTotals, type RiskTotals, readKeptTotals } from '../../store/batches/risk.ts'
import { streamSheetRejects, streamSheetResults } from '../../store/batches/sheet-results.ts'
import type { Sql } from '../../store/connect.ts'
import type { Manifest } from '../manifest.ts'
import type { Sources } from '../report-snapshot.ts'
import type { WholeFile } from '../whole-file.ts'
import { aboutSheet } from './about-sheet.ts'
import { type OwnHead, openOwnCells, readOwnHead } from './open-own-cells.ts'
import { resultColumns } from './result-columns.ts'
import { sheetLines } from './sheet-lines.ts'
import { summarySheet } from './summary-sheet.ts'
import { ToldCells, wordedDetail } from './told-cells.ts'
import { fieldsOf, parseReject, parseResult } from './told-row.ts'
import { type WorkbookWords, workbookWords } from './words.ts'

type WorkbookOptions = {
  language: Language
  timezone: string
  now: Date
  prices: UnitPrices | null
  spend: Manifest['spend']
}

/**
 * Writes the report of a batch as a workbook: the file as it was with results on the right, a summary, the rejects, and
 * what all of it means. Gives back how its rows came out, so that whoever publishes it can see that none is missing.
 */
export const writeReportWorkbook = async (
  sources: Sources,
  batch: Batch,
  file: WholeFile,
  options: WorkbookOptions,
): Promise<Map<string, number>> => {
  const words = workbookWords(options.language)
  const own = await readOwnHead(sources.sql, batch)
  const totals = batch.kind === 'analysis' ? await readTotals(sources.tx, batch.id) : null
  const told = new ToldCells(batch.kind, words)
  const price = priceOf(options.prices, batch.kind, options.spend.charged)
  const title = words.title(batch.fileName ?? batch.name)
  const properties = { title, creator: 'Vigia', created: options.now }
  const book: Book = { sources, batch, own, totals, told, rejected: 0, words, price, options }
  await writeWorkbook(file.asSink(), { properties, sheets: sheetsOf(book) })
  return statesOf(book)
}

type Book = {
  sources: Sources
  batch: Batch
  own: OwnHead
  totals: RiskTotals | null
  told: ToldCells
  /** How many were written so far. */
  rejected: number
  words: WorkbookWords
  price: Price | null
  options: WorkbookOptions
}

/** One after the other: the summary is made when the rows before it have been counted. */
function* sheetsOf(book: Book): Generator<SheetToWrite> {
  const { batch, words, told, totals, price, options } = book
  yield resultSheet(book)
  const { spend } = options
  const fileName = batch.fileName ?? batch.name
  yield summarySheet({ fileName, outcomes: told.outcomes, rejected: batch.rejected, spend, price, totals }, words)
  yield rejectSheet(book)
  yield aboutSheet(batch, options, words)
}

const resultSheet = ({ sources, batch, own, told, words, options }: Book): SheetToWrite => ({
  name: words.sheets.results,
  titles: own.titles,
  columns: [...own.columns, ...resultColumns(batch.kind, words)],
  rows: {
    lines: sheetLines({
      results: streamSheetResults(sources.tx, batch.id, { kind: batch.kind, timezone: options.timezone, styles }),
      parse: parseResult,
      own: openOwnCells(sources.sql, batch),
      told: (row) => told.count(row),
    }),
  },
})

const styles = {
  text: styleNumber('text'),
  integer: styleNumber('integer'),
  amount: styleNumber('amount'),
  dateTime: styleNumber('dateTime'),
}

/** What is wrong stands first: a row that was rejected for having too many cells may be wider than the header. */
const rejectSheet = (book: Book): SheetToWrite => {
  const { sources, batch, words } = book
  const added = [
    { header: words.columns.line, width: 10 },
    { header: words.columns.reason, width: 42 },
    { header: words.columns.detail, width: 60 },
  ]
  const told = (row: string, line: number): Buffer => {
    book.rejected++
    return rejectCells(row, line, words)
  }
  const results = streamSheetRejects(sources.tx, batch.id)
  const own = openOwnCells(sources.sql, batch)
  const lines = sheetLines({ results, parse: parseReject, own, told, toldFirst: true })
  return { name: words.sheets.rejects, columns: [...added, ...book.own.columns], rows: { lines } }
}

const rejectCells = (row: string, line: number, words: WorkbookWords): Buffer => {
  const [reason, said, text] = fieldsOf(row)
  const cells = [
    cellXml({ text: `${line}`, type: 'n', look: 'integer' }),
    textCellXml(term(words.terms.rejectReasons, reason ?? '')),
    textCellXml(wordedDetail(words, said, text)),
  ]
  return Buffer.from(cells.join(''))
}

/** Kept where the batch has been added up since its last answer. */
const readTotals = async (tx: Sql, batchId: bigint): Promise<RiskTotals> =>
  (await readKeptTotals(tx, batchId)) ?? (await addUpTotals(tx, batchId))

const statesOf = ({ told, rejected }: Book): Map<string, number> => {
  const states = new Map(rejected > 0 ? [['rejected', rejected]] : [])
  for (const { state, rows } of told.outcomes) states.set(state, (states.get(state) ?? 0) + rows)
  return states
}
