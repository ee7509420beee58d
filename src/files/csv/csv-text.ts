/** A text that Vigia adds as a cell, by the same rule as `vigia.csv_text` of the database: inert, and unable to break its row. */
export const csvText = (value: string): string => {
  const cell = inert(value)
  return /[";,|\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The same on one line, for a writer that quotes by itself. */
export const inertLine = (text: string): string => inert(text.replace(/[\s\p{Cc}]+/gu, ' ').trim())

/** Text from outside starts no formula; a plain number is none. */
const inert = (value: string): string =>
  /^[\s\p{Cc}]*[-=+@＝＋－＠]/u.test(value) && !/^-?[0-9]+([.,][0-9]+)?$/.test(value) ? `'${value}` : value
