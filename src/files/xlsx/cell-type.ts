/**
 * The type of a cell as one letter. The types of a row make one short text, which is kept beside its cells and allows
 * them to be written again as they were.
 */
export const cellType = {
  empty: '-',
  text: 't',
  number: 'n',
  /** A number that its format shows with leading zeros: as a number it would lose them. */
  padded: 'z',
  /** An integer of more than 15 digits: a spreadsheet holds only the first 15, so it may not be what was typed. */
  cutNumber: 'x',
  /** `2026-11-15` */
  date: 'd',
  /** `2026-11-15 08:30:00` */
  dateTime: 'D',
  /** `08:30:00`, and `31:00:00` where hours are counted on. */
  time: 'h',
  /** `TRUE` or `FALSE` */
  boolean: 'b',
  /** `#N/A`, `#REF!`: the file has the English names, whatever the screen shows. */
  error: 'e',
  /** A formula that was never calculated: the program that wrote the file left its value out. */
  uncalculated: 'f',
} as const

export type CellType = (typeof cellType)[keyof typeof cellType]

/** A cell as it is read. */
export type CellValue = { text: string; type: CellType }

/** The letters of a column that is counted from 1: 27 is `AA`. */
export const columnName = (column: number): string => {
  const rest = (column - 1) % 26
  const letter = String.fromCharCode(65 + rest)
  return column > 26 ? columnName((column - 1 - rest) / 26) + letter : letter
}

/** The column of a reference such as `BC17`, counted from 1; NaN where it has none. */
export const columnOf = (place: string): number => {
  let column = 0
  for (let at = 0; at < place.length; at++) {
    const letter = place.charCodeAt(at) & ~0x20
    if (letter < 65 || letter > 90) return at > 0 && at <= 3 ? column : Number.NaN
    column = column * 26 + letter - 64
  }
  return Number.NaN
}
