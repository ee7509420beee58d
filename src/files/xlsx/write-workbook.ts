import type { Writable } from 'node:stream'
import type { OtherSheets } from './others/other-sheets.ts'
import { type BarChart, type ChartPlace, chartParts, sheetDrawingXml } from './write/chart-xml.ts'
import {
  appXml,
  contentTypes,
  contentTypesXml,
  coreXml,
  rootRelationshipsXml,
  sheetPart,
  type WorkbookProperties,
  type WrittenSheet,
  workbookRelationshipsXml,
  workbookXml,
} from './write/package-xml.ts'
import {
  closeSheet,
  hasHeader,
  openSheet,
  type RowSource,
  type SheetColumn,
  type SheetRows,
  type SheetTitles,
  sheetName,
  sourceOfRows,
  tableRange,
} from './write/sheet-xml.ts'
import { stylesXml } from './write/styles-xml.ts'
import { writeZip } from './write/zip-writer.ts'

/** If one sheet cannot hold a table, a second one continues it; its titles stand on the first. */
export type SheetToWrite = {
  name: string
  titles?: SheetTitles
  columns: readonly SheetColumn[]
  rows: SheetRows
  chart?: BarChart
  /** The ranges of merged titles, called once the rows are written. */
  merged?: () => readonly string[]
}

type WorkbookToWrite = {
  properties: WorkbookProperties
  sheets: Iterable<SheetToWrite>
  /** Sheets of the caller's workbook, and the styles that cells of the sheets may use. */
  others?: OtherSheets
}

/**
 * Writes a workbook into a sink and ends it. Rows are packed as they arrive, and no more are requested while the sink is
 * full, so memory does not grow with them. The part that lists the sheets is written last, when their number is known.
 */
export const writeWorkbook = async (
  sink: Writable,
  workbook: WorkbookToWrite,
  { rowsInSheet = 1_048_576 } = {},
): Promise<void> => {
  const writer = new WorkbookWriter(writeZip(sink), rowsInSheet)
  try {
    for (const sheet of workbook.sheets) await writer.addSheet(sheet)
    await writer.end(workbook.properties, workbook.others)
  } catch (error) {
    sink.destroy()
    throw error
  }
}

class WorkbookWriter {
  readonly #zip: ReturnType<typeof writeZip>
  readonly #rowsInSheet: number
  readonly #sheets: WrittenSheet[] = []
  readonly #charts: ChartPlace[] = []
  readonly #types: [string, string][] = []

  constructor(zip: ReturnType<typeof writeZip>, rowsInSheet: number) {
    this.#zip = zip
    this.#rowsInSheet = rowsInSheet
  }

  async addSheet(sheet: SheetToWrite): Promise<void> {
    const source = sourceOfRows(sheet.rows)
    try {
      await this.#addShare(sheet, source)
      if (sheet.chart) await this.#addChart(sheet.chart)
      while (!(await source.isOver()))
        await this.#addShare({ ...sheet, titles: [], chart: undefined, merged: undefined }, source)
    } finally {
      await source.close()
    }
  }

  async end(properties: WorkbookProperties, others: OtherSheets | undefined): Promise<void> {
    const taken = this.#sheets.map(({ name }) => name)
    const more = await others?.write((name, type, content) => this.#add(name, type, content), taken)
    this.#sheets.push(...(more?.sheets ?? []))
    const shared = [{ type: 'styles', target: 'styles.xml' }, ...(more?.shared ?? [])]
    const elements = { names: more?.names ?? '', calculation: more?.calculation ?? '' }
    await this.#addXml('xl/workbook.xml', contentTypes.workbook, workbookXml(this.#sheets, elements))
    await this.#addXml('xl/_rels/workbook.xml.rels', null, workbookRelationshipsXml(this.#sheets.length, shared))
    await this.#addXml('xl/styles.xml', contentTypes.styles, stylesXml(others?.styles ?? null))
    await this.#addXml('docProps/core.xml', contentTypes.core, coreXml(properties))
    await this.#addXml('docProps/app.xml', contentTypes.app, appXml())
    await this.#addXml('_rels/.rels', null, rootRelationshipsXml())
    await this.#addXml('[Content_Types].xml', null, contentTypesXml(this.#types))
    await this.#zip.end()
  }

  async #addShare({ name, titles = [], columns, chart, merged }: SheetToWrite, source: RowSource): Promise<void> {
    const below = this.#rowsInSheet - titles.length - (hasHeader(columns) ? 1 : 0)
    const place = () => ({ titles: titles.length, rows: source.rows })
    const taken = this.#sheets.map((sheet) => sheet.name)
    async function* content(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${declaration}${openSheet(columns, titles)}`)
      yield* source.take(below)
      yield Buffer.from(closeSheet(columns, place(), { hasChart: chart !== undefined, merged: merged?.() ?? [] }))
    }
    await this.#add(sheetPart(taken.length + 1), contentTypes.sheet, content())
    const filter = hasHeader(columns) ? tableRange(columns, place(), '$') : null
    this.#sheets.push({ name: sheetName(name, taken), state: '', filter })
  }

  async #addChart(chart: BarChart): Promise<void> {
    const place = { chart, sheet: this.#sheets.at(-1)?.name as string }
    const number = this.#charts.push(place)
    for (const { name, type, xml } of chartParts(place, number)) await this.#addXml(name, type, xml)
    await this.#addXml(`xl/worksheets/_rels/sheet${this.#sheets.length}.xml.rels`, null, sheetDrawingXml(number))
  }

  #addXml(name: string, type: string | null, xml: string): Promise<void> {
    return this.#add(name, type, [Buffer.from(declaration + xml)])
  }

  /** A part without a type belongs to another one, or to the package. */
  async #add(
    name: string,
    type: string | null,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    if (type !== null) this.#types.push([name, type])
    await this.#zip.add(name, content)
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
