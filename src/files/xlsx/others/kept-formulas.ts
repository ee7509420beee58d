/**
 * Which formulas of the caller's sheets may come back: those that a spreadsheet calculates from what comes back too.
 *
 * Every sheet and table that a formula names must be there, and it must name nothing that is gone. Whatever reaches outside
 * of the workbook, or names its cells by a text, or cannot be distinguished, is not kept.
 */
export class KeptFormulas {
  readonly #sheets: Set<string>
  readonly #tables: Set<string>
  readonly #lostNames = new Set<string>()

  constructor(sheets: Iterable<string>, tables: Iterable<string>) {
    this.#sheets = lowerCase(sheets)
    this.#tables = lowerCase(tables)
  }

  keeps(formula: string): boolean {
    const found = partsOf(formula)
    return found !== null && this.#has(found) && !found.names.some((name) => this.#lostNames.has(name.toLowerCase()))
  }

  /** Of the workbook's defined names, those that may come back. A name whose formula names a lost one is lost too. */
  keepNames<Name extends { name: string; formula: string; isLost: boolean }>(names: readonly Name[]): Name[] {
    const users = new Map<string, Name[]>()
    const lost: Name[] = []
    const gone = new Set<Name>()
    for (const each of names) {
      const found = each.isLost ? null : partsOf(each.formula)
      if (!found || !this.#has(found)) lost.push(each)
      for (const used of found?.names ?? []) {
        const key = used.toLowerCase()
        const known = users.get(key)
        if (known) known.push(each)
        else users.set(key, [each])
      }
    }
    for (let each = lost.pop(); each; each = lost.pop()) {
      const key = each.name.toLowerCase()
      gone.add(each)
      if (this.#lostNames.has(key)) continue
      this.#lostNames.add(key)
      for (const user of users.get(key) ?? []) lost.push(user)
    }
    return names.filter((each) => !gone.has(each))
  }

  #has({ sheets, tables }: FormulaParts): boolean {
    return (
      sheets.every((name) => this.#sheets.has(name.toLowerCase())) &&
      tables.every((name) => this.#tables.has(name.toLowerCase()))
    )
  }
}

type FormulaParts = { sheets: string[]; tables: string[]; names: string[] }

/** What a formula names; null if it reaches outside of the workbook, or cannot be read. */
const partsOf = (formula: string): FormulaParts | null => {
  if (formula.length > longest) return null
  const sheets: string[] = []
  const tables: string[] = []
  const functions: string[] = []
  const rest = formula
    .replace(quoted, (text, sheet: string | undefined, sign: string) => {
      if (sheet !== undefined && sign === '') return text
      if (sheet !== undefined) sheets.push(sheet.replaceAll("''", "'"))
      return ' '
    })
    .replace(errorValues, ' ')
    .replace(structured, (_, table: string) => {
      tables.push(table)
      return ' '
    })
    .replace(unquotedSheet, (_, sheet: string) => {
      sheets.push(sheet)
      return ' '
    })
    .replace(called, (_, name: string) => {
      functions.push(name.replace(/^(_xlfn\.|_xlws\.)+/i, '').toUpperCase())
      return '('
    })
  if (beyond.test(rest) || sheets.some((sheet) => notInNames.test(sheet))) return null
  if (functions.some((name) => outside.test(name))) return null
  return { sheets, tables, names: [...functions, ...(rest.match(identifier) ?? [])] }
}

/** Excel takes 8,192 characters; functions that are newer than the format have a prefix beside. */
const longest = 16_384

/** A text, or a sheet whose name has spaces. Read from the left, so that neither can hide the other. */
const quoted = /"(?:[^"]|"")*"|'((?:[^']|'')*)'(!?)/g
const errorValues = /#(?:REF!|DIV\/0!|N\/A|NAME\?|NUM!|VALUE!|NULL!|SPILL!|CALC!)/gi
/** `Table1[[#This Row],[Limit]]`: the file always has the table's name; a bracket without one is another workbook. */
const structured = /(?<![\p{L}\p{N}_.\\])([\p{L}_\\][\p{L}\p{N}_.\\]*)\[(?:[^[\]]|\[[^[\]]*\])*\]/gu
const unquotedSheet = /(?<![\p{L}\p{N}_.:])([\p{L}\p{N}_.]+)!/gu
const called = /(?<![\p{L}\p{N}_.])([\p{L}_][\p{L}\p{N}_.]*)\s*\(/gu
const identifier = /(?<![\p{L}\p{N}_.\\?])[\p{L}_\\][\p{L}\p{N}_.\\?]*/gu

/** Another workbook (`[1]`), DDE (`|`), several sheets at once (`Jan:Mar!`), or a quote without its end. */
const beyond = /[[\]|'"!]/
/** No sheet has these in its name, but the name of another workbook's has. DDE does too. */
const notInNames = /[[\]:\\/?*|]/

/** Functions that fetch from elsewhere, need what does not come back, or find their cells by a text. */
const outside =
  /^(WEBSERVICE|RTD|DDE|CALL|REGISTER|REGISTER\.ID|EXEC|IMAGE|STOCKHISTORY|PY|SQL\.REQUEST|CUBE\w+|GETPIVOTDATA|INDIRECT|_XLL\..*)$/

const lowerCase = (names: Iterable<string>): Set<string> => new Set([...names].map((name) => name.toLowerCase()))
