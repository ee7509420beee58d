/** A text that Vigia adds as a cell, by the same rule as `vigia.csv_text` of the database: inert, and unable to break its row. */
export const csvText = (value: string): string => {
  const starts = /^[\s\p{Cc}]*[-=+@＝＋－＠]/u.test(value) && !/^-?[0-9]+([.,][0-9]+)?$/.test(value)
  const inert = starts ? `'${value}` : value
  return /[";,|\t\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
