import { mostColumns } from '../../columns/find-header.ts'

/**
 * How much of an untrusted workbook is read before it is refused. All limits count what was unpacked or read, never what
 * the file claims about itself.
 */
export const workbookLimits = {
  /** Bytes of the file, where it arrives as a stream and has to be stored first. */
  fileBytes: 2 * 1024 ** 3,
  /** Parts of the zip: a workbook has a dozen, one full of pictures a few thousand. */
  parts: 10_000,
  /** Unpacked bytes of one part. A sheet of a million rows and 50 columns has two thousand million. */
  partBytes: 8 * 1024 ** 3,
  /**
   * Unpacked bytes for each packed byte, once a part is larger than `ratioFrom`. Sheets have 5 to 50. The same limit holds
   * for the text of a sheet against the size of the file: many cells may point at one long text.
   */
  ratio: 250,
  ratioFrom: 8 * 1024 ** 2,
  sharedStrings: 20_000_000,
  sharedStringBytes: 2 * 1024 ** 3,
  /** Bytes of shared strings that stay in memory; the rest is kept in a file. */
  sharedStringMemory: 24 * 1024 ** 2,
  sheets: 1_000,
  styles: 100_000,
  rows: 1_048_576,
  /** Columns that are not empty. */
  columns: mostColumns,
  /** Characters in a cell, as in Excel. */
  cellLength: 32_767,
  /** Characters between one mark of the XML and the next: a cell's text may be written entirely as entities. */
  xmlToken: 400_000,
  xmlDepth: 64,
  xmlAttributes: 256,
  /** Characters of an element that is copied in one piece, such as a row or a chart. */
  xmlUnit: 4 * 1024 ** 2,
  /** Characters of a part that is kept in memory while it is copied: styles, drawings, comments. */
  copiedPart: 16 * 1024 ** 2,
  /** Relationships of one part. Each link to another site is one. */
  relationships: 100_000,
  definedNames: 20_000,
}

export type WorkbookLimits = typeof workbookLimits
