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
