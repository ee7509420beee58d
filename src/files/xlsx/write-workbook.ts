import type { Writable } from 'node:stream'
import type { WrittenFormat } from './read/number-formats.ts'
import { type BarChart, type ChartPlace, chartParts, sheetDrawingXml } from './write/chart-xml.ts'
import type { OwnFormats } from './write/own-formats.ts'
import {
  appXml,
  contentTypesXml,
  coreXml,
  rootRelationshipsXml,
  type WorkbookProperties,
  type WrittenSheet,
  workbookRelationshipsXml,
  workbookXml,
} from './write/package-xml.ts'
import { RowSource, type SheetRows } from './write/row-source.ts'
import { sheetName } from './write/sheet-name.ts'
import { closeSheet, hasHeader, openSheet, type SheetColumn, type SheetTitles, tableRange } from './write/sheet-xml.ts'
import { stylesXml } from './write/styles-xml.ts'
import { ZipWriter } from './write/zip-writer.ts'

/** If one sheet cannot hold a table, a second one continues it; its titles stand on the first. */
export type SheetToWrite = {
  name: string
  hidden?: boolean
  titles?: SheetTitles
  columns: readonly SheetColumn[]
  rows: SheetRows
  chart?: BarChart
  /** The ranges of merged titles, called once the rows are written. */
  merged?: () => readonly string[]
}

type WorkbookToWrite = { properties: WorkbookProperties; sheets: Iterable<SheetToWrite>; formats?: OwnFormats }

/** Level 2 packs a report to a seventh, as fast as level 1; level 6 takes more than twice as long and saves a tenth. */
export type WriteOptions = { level?: number; rowsInSheet?: number }

/**
 * Writes a workbook into a sink and ends it. Rows are packed as they arrive, and no more are requested while the sink is
 * full, so memory does not grow with them. The part that lists the sheets is written last, when their number is known.
 */
export const writeWorkbook = async (
  sink: Writable,
  workbook: WorkbookToWrite,
  options: WriteOptions = {},
): Promise<void> => {
  const writer = new WorkbookWriter(new ZipWriter(sink, options.level ?? 2), options.rowsInSheet ?? 1_048_576)
  try {
    for (const sheet of workbook.sheets) await writer.addSheet(sheet)
    await writer.end(workbook.properties, workbook.formats?.all)
  } catch (error) {
    sink.destroy()
    throw error
  }
}

class WorkbookWriter {
  readonly #zip: ZipWriter
  readonly #rowsInSheet: number
  readonly #sheets: WrittenSheet[] = []
  readonly #charts: ChartPlace[] = []

  constructor(zip: ZipWriter, rowsInSheet: number) {
    this.#zip = zip
    this.#rowsInSheet = rowsInSheet
  }

  async addSheet(sheet: SheetToWrite): Promise<void> {
    const source = new RowSource(sheet.rows)
    try {
      await this.#addShare(sheet, source)
      if (sheet.chart) await this.#addChart(sheet.chart)
      while (!(await source.isOver()))
        await this.#addShare({ ...sheet, titles: [], chart: undefined, merged: undefined }, source)
    } finally {
      await source.close()
    }
  }

  async end(properties: WorkbookProperties, formats: WrittenFormat[] = []): Promise<void> {
    const parts: [string, string][] = [
      ['xl/workbook.xml', workbookXml(this.#sheets)],
      ['xl/_rels/workbook.xml.rels', workbookRelationshipsXml(this.#sheets.length)],
      ['xl/styles.xml', stylesXml(formats)],
      ['docProps/core.xml', coreXml(properties)],
      ['docProps/app.xml', appXml()],
      ['_rels/.rels', rootRelationshipsXml()],
      ['[Content_Types].xml', contentTypesXml(this.#sheets.length, this.#charts.length)],
    ]
    for (const [name, xml] of parts) await this.#addPart(name, xml)
    await this.#zip.end()
  }

  async #addShare(
    { name, hidden = false, titles = [], columns, chart, merged }: SheetToWrite,
    source: RowSource,
  ): Promise<void> {
    const below = this.#rowsInSheet - titles.length - (hasHeader(columns) ? 1 : 0)
    const place = () => ({ titles: titles.length, rows: source.rows })
    const taken = this.#sheets.map((sheet) => sheet.name)
    async function* content(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${declaration}${openSheet(columns, titles)}`)
      yield* source.take(below)
      yield Buffer.from(closeSheet(columns, place(), { hasChart: chart !== undefined, merged: merged?.() ?? [] }))
    }
    await this.#zip.add(`xl/worksheets/sheet${taken.length + 1}.xml`, content())
    const filter = hasHeader(columns) ? tableRange(columns, place(), '$') : null
    this.#sheets.push({ name: sheetName(name, taken), hidden, filter })
  }

  async #addChart(chart: BarChart): Promise<void> {
    const place = { chart, sheet: this.#sheets.at(-1)?.name as string }
    const number = this.#charts.push(place)
    for (const [name, xml] of chartParts(place, number)) await this.#addPart(name, xml)
    await this.#addPart(`xl/worksheets/_rels/sheet${this.#sheets.length}.xml.rels`, sheetDrawingXml(number))
  }

  #addPart(name: string, xml: string): Promise<void> {
    return this.#zip.add(name, [Buffer.from(declaration + xml)])
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
