/** The letters of a column that is counted from 1: 27 is `AA`. */
export function columnName(column: number): string {
  const rest = (column - 1) % 26
  const letter = String.fromCharCode(65 + rest)
  return column > 26 ? columnName((column - 1 - rest) / 26) + letter : letter
}
