import { type Price, priceOf, type UnitPrices } from '../../domain/amount.ts'
import { cellXml, textCellXml } from '../../files/xlsx/write/cell-xml.ts'
import { OwnFormats } from '../../files/xlsx/write/own-formats.ts'
import { styleNumber } from '../../files/xlsx/write/styles-xml.ts'
import { type SheetToWrite, writeWorkbook } from '../../files/xlsx/write-workbook.ts'
import { type WorkbookLabels, workbookLabels } from '../../messages/labels.ts'
import type { Language } from '../../messages/languages.ts'
import { term } from '../../messages/term.ts'
import type { Batch } from '../../store/batches/batches.ts'
import { addUpTotals, type RiskTotals, readKeptTotals } from '../../store/batches/risk.ts'
import { streamSheetRejects, streamSheetResults } from '../../store/batches/sheet-results.ts'
import type { Sql } from '../../store/connect.ts'
import type { AtomicFile } from '../atomic-file.ts'
import type { Manifest } from '../manifest.ts'
import type { Sources } from '../report-snapshot.ts'
import { aboutSheet } from './about-sheet.ts'
import { mergedDownTo } from './merged-ranges.ts'
import { type OwnHead, openOwnCells, readOwnHead } from './open-own-cells.ts'
import { openOtherSheets } from './other-sheets.ts'
import { localizedDetail, ResultCells } from './result-cells.ts'
import { resultColumns } from './result-columns.ts'
import { fieldsOf, parseReject, parseResult } from './result-row.ts'
import { sheetLines } from './sheet-lines.ts'
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
 * explanation, and the other sheets of the caller's workbook. Returns the number of rows per state, so that the caller can
 * check that none is missing. A rejected row must stand in the first sheet and among the rejects.
 */
export const writeReportWorkbook = async (
  sources: Sources,
  batch: Batch,
  file: AtomicFile,
  options: WorkbookOptions,
): Promise<Map<string, number>> => {
  const labels = workbookLabels(options.language)
  const own = await readOwnHead(sources.sql, batch)
  const totals = batch.kind === 'analysis' ? await readTotals(sources.tx, batch.id) : null
  const result = new ResultCells(batch.kind, labels)
  const price = priceOf(options.prices, batch.kind, options.spend.charged)
  const title = labels.title(batch.fileName ?? batch.name)
  const properties = { title, creator: 'Vigia', created: options.now }
  const formats = new OwnFormats()
  await using others = await openOtherSheets(sources.sql, batch, { formats, formatMessage: labels.formatMessage })
  const workbook: ReportWorkbook = {
    others: others.sheets,
    formats,
    sources,
    batch,
    own,
    totals,
    result,
    rejected: 0,
    labels,
    price,
    options,
  }
  await writeWorkbook(file.asSink(), { properties, sheets: sheetsOf(workbook), formats })
  return statesOf(workbook)
}

type ReportWorkbook = {
  others: SheetToWrite[]
  formats: OwnFormats
  sources: Sources
  batch: Batch
  own: OwnHead
  totals: RiskTotals | null
  result: ResultCells
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
  yield summarySheet({ fileName, names: result.names, outcomes: result.outcomes, spend, price, totals }, labels)
  yield rejectSheet(workbook)
  yield aboutSheet(batch, options, labels)
  yield* workbook.others
}

const resultSheet = ({ formats, sources, batch, own, result, labels, options }: ReportWorkbook): SheetToWrite => {
  const merged: string[] = []
  return {
    name: labels.sheets.results,
    titles: own.titles,
    columns: [...own.columns, ...resultColumns(batch.kind, labels)],
    rows: {
      lines: sheetLines({
        results: streamSheetResults(sources.tx, batch.id, {
          kind: batch.kind,
          timezone: options.timezone,
          styles,
          notSearched: labels.terms.notSearched,
        }),
        parse: parseResult,
        // A row that was rejected for too many cells is complete among the rejects.
        own: openOwnCells(sources.sql, batch, { cut: true, formats, merged }),
        result: (row) => result.count(row),
        match: (given, registryName) => result.compare(given, registryName),
      }),
    },
    merged: () => (own.inPlace ? mergedDownTo(merged, own.titles.length) : []),
  }
}

const styles = {
  text: styleNumber('text'),
  integer: styleNumber('integer'),
  amount: styleNumber('amount'),
  dateTime: styleNumber('dateTime'),
}

/** The reason stands first: a row that was rejected for too many cells may be wider than the header. */
const rejectSheet = (workbook: ReportWorkbook): SheetToWrite => {
  const { formats, sources, batch, labels } = workbook
  const added = [
    { header: labels.columns.line, width: 10 },
    { header: labels.columns.reason, width: 42 },
    { header: labels.columns.detail, width: 60 },
  ]
  const result = (row: string, line: number): Buffer => {
    workbook.rejected++
    return rejectCells(row, line, labels)
  }
  const results = streamSheetRejects(sources.tx, batch.id)
  const own = openOwnCells(sources.sql, batch, { cut: false, formats })
  const lines = sheetLines({ results, parse: parseReject, own, result, resultFirst: true })
  return { name: labels.sheets.rejects, columns: [...added, ...workbook.own.columns], rows: { lines } }
}

const rejectCells = (row: string, line: number, labels: WorkbookLabels): Buffer => {
  const [reason, message, text] = fieldsOf(row)
  const cells = [
    cellXml({ text: `${line}`, type: 'n', look: 'integer' }),
    textCellXml(term(labels.terms.rejectReasons, reason ?? '')),
    textCellXml(localizedDetail(labels, message, text)),
  ]
  return Buffer.from(cells.join(''))
}

/** Stored if the batch was summed up since its last answer. */
const readTotals = async (tx: Sql, batchId: bigint): Promise<RiskTotals> =>
  (await readKeptTotals(tx, batchId)) ?? (await addUpTotals(tx, batchId))

const statesOf = ({ result, rejected, batch }: ReportWorkbook): Map<string, number> => {
  const states = new Map<string, number>()
  for (const { state, rows } of result.outcomes) states.set(state, (states.get(state) ?? 0) + rows)
  if (rejected !== (states.get('rejected') ?? 0))
    throw new Error(`Batch ${batch.id} does not add up: ${rejected} rows among the rejects, others in the results`)
  return states
}
