import { mostColumns } from '../../most-columns.ts'

/**
 * How much of a stranger's workbook is read before it is refused. All are counted on what comes out, never on what the
 * file says of itself.
 */
export const workbookLimits = {
  /** Bytes of the file, where it comes as a stream and has to be put down first. */
  fileBytes: 2 * 1024 ** 3,
  /** Parts of the zip: a workbook has a dozen, one full of pictures a few thousand. */
  parts: 10_000,
  /** Bytes that come out of one part. A sheet of a million rows and 50 columns has two thousand million. */
  partBytes: 8 * 1024 ** 3,
  /**
   * Bytes that come out for each byte that went in, once a part is larger than `ratioFrom`. Sheets have 5 to 50. The same
   * holds for the text of a sheet against the whole file: many cells may point at one long text.
   */
  ratio: 250,
  ratioFrom: 8 * 1024 ** 2,
  sharedStrings: 20_000_000,
  sharedStringBytes: 2 * 1024 ** 3,
  /** Bytes of shared strings that stay in memory; what is beyond them lies in a file. */
  sharedStringMemory: 24 * 1024 ** 2,
  sheets: 1_000,
  styles: 100_000,
  rows: 1_048_576,
  /** Columns that hold something. */
  columns: mostColumns,
  /** Characters in a cell, as in Excel. */
  cellLength: 32_767,
  /** Characters between one mark of the XML and the next: a cell's text may be written as entities throughout. */
  xmlToken: 400_000,
  xmlDepth: 64,
  xmlAttributes: 256,
}

export type WorkbookLimits = typeof workbookLimits
