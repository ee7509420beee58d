const longest = 31

/**
 * A valid name for a sheet: at most 31 characters, none of `[]:*?/\`, and different from all others of the workbook even
 * without regard to case. The second sheet of a table is called `Name (2)`.
 */
export const sheetName = (wanted: string, taken: readonly string[]): string => {
  const clean =
    wanted
      .replace(/[[\]:*?/\\\p{C}]/gu, ' ')
      .trim()
      .replace(/^'+|'+$/g, '') || 'Sheet'
  const used = new Set(taken.map((name) => name.toLowerCase()))
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`
    const name =
      clean
        .slice(0, longest - suffix.length)
        .toWellFormed()
        .trimEnd() + suffix
    if (!used.has(name.toLowerCase())) return name
  }
}
