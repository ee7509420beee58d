/** A text that Vigia adds as a cell: it starts no formula and ends no cell. */
export const csvText = (value: string): string => {
  const cell = inert(value)
  return /[";,|\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The same on one line, for a writer that does its own quoting. */
export const inertLine = (text: string): string => inert(text.replace(/[\s\p{Cc}]+/gu, ' ').trim())

/** Text from outside must not start a formula; a plain number does not. */
const inert = (value: string): string =>
  /^[\s\p{Cc}]*[-=+@＝＋－＠]/u.test(value) && !/^-?[0-9]+([.,][0-9]+)?$/.test(value) ? `'${value}` : value
