/** One row of a file and where it stands, so that its own text can be given back untouched. */
export type CsvRecord = {
  /** The physical line on which it begins, counted from 1, with `sep=` line, header and blank lines. */
  line: number
  cells: string[]
  /** Byte offsets of its raw text, without the line ending, in the decoded UTF-8 text of the file (see `decodeText`). */
  start: number
  end: number
  /** Its quotes could not be understood, so the cells hold them as letters. */
  misquoted?: true
}
