import { rolesByPlace } from './columns/find-columns.ts'
import { findHeader, type ReadRequest, type SampleRow } from './columns/find-header.ts'
import { addColumn, type ColumnNames } from './columns/read-options.ts'
import { type ColumnRole, plainHeader, roleOf } from './columns/roles.ts'
import { FileProblem } from './file-problem.ts'
import { cellType } from './xlsx/cell-type.ts'
import type { SheetExtras, Workbook, WorkbookRow } from './xlsx/read-workbook.ts'

/** The value of the option `--sheet` that reads every sheet with documents. */
export const allSheets = 'all'

/** Where each row of a joined table comes from: its first two columns. */
const origin = ['sheet_name', 'sheet_line']

/**
 * Several sheets as one table: its header, the columns that have a role, and where the cells of each sheet go. It is
 * stored with the batch, to join the sheets again for the report.
 */
export type JoinedSheets = { header: string[]; columns: ColumnNames; sheets: JoinedSheet[] }
type JoinedSheet = { name: string; headerLine: number; ownColumns: number; places: number[] }

type SheetSample = { name: string; sample: readonly SampleRow[] }

/** A column of a sheet: columns with the same key become one. */
type Column = { key: string; role: ColumnRole | undefined; name: string }
type FoundSheet = { name: string; headerLine: number; ownColumns: number; columns: Column[] }

/**
 * Plans one table for several sheets. Columns of one role become one column, and so do columns of one name. The first
 * two columns say from which sheet and line a row comes.
 */
export const joinSheets = (samples: readonly SheetSample[], request: ReadRequest): JoinedSheets => {
  const found = joinDocuments(samples.map((each) => readSheet(each, request)))
  const all = Map.groupBy(
    found.flatMap(({ columns }) => columns),
    ({ key }) => key,
  )
  const header = [...origin]
  let columns: ColumnNames = {}
  for (const same of all.values()) {
    const { role, name } = nameOf(same)
    const unique = uniqueIn(header, name)
    if (role) columns = withColumn(columns, role, unique)
    header.push(unique)
  }
  const keys = [...all.keys()]
  const sheets = found.map(({ columns: own, ...sheet }) => ({
    ...sheet,
    places: own.map(({ key }) => origin.length + keys.indexOf(key)),
  }))
  return { header, columns, sheets }
}

const withColumn = (columns: ColumnNames, role: ColumnRole, header: string): ColumnNames => {
  const added = addColumn(columns, role, header)
  if ('problem' in added) throw new FileProblem(added.problem)
  return added
}

const readSheet = ({ name, sample }: SheetSample, { kind, choice, remembered }: ReadRequest): FoundSheet => {
  const { at, columns } = inSheet(name, () => findHeader(sample, { kind, choice, remembered }))
  const { cells = [], line = 0 } = at === null ? {} : (sample[at] as SampleRow)
  const roles = rolesByPlace(columns)
  return {
    name,
    headerLine: line,
    ownColumns: columns.ownColumns,
    columns: Array.from({ length: columns.width }, (_, place) =>
      columnOf(cells[place] ?? '', place, roles.get(place), columns.several !== undefined),
    ),
  }
}

/** Of several columns of documents, those of one name become one, as do columns without a role. */
const columnOf = (name: string, place: number, role: ColumnRole | undefined, several: boolean): Column => {
  if (several && role === 'documento') return { key: `name ${plainHeader(name)}`, role, name }
  const named = roleOf(name)?.role
  const precise = role === 'documento' && (named === 'cpf' || named === 'cnpj') ? named : role
  if (precise) return { key: `role ${precise}`, role: precise, name }
  return { key: name.trim() === '' ? `place ${place}` : `name ${plainHeader(name)}`, role, name }
}

/** A problem of one sheet names it. */
const inSheet = <T>(name: string, read: () => T): T => {
  try {
    return read()
  } catch (problem) {
    if (problem instanceof FileProblem) throw new FileProblem(['in_sheet', name, problem.reason])
    throw problem
  }
}

/**
 * CPFs and CNPJs stay in columns of their own, unless the column of a sheet may hold either: then all documents stand in
 * one column. If a sheet asks about several columns, those of every sheet are asked about by their names.
 */
const joinDocuments = (sheets: FoundSheet[]): FoundSheet[] => {
  const isDocument = ({ role }: Column) => role === 'documento' || role === 'cpf' || role === 'cnpj'
  if (sheets.some(({ columns }) => columns.filter(({ role }) => role === 'documento').length > 1)) {
    const byName = (column: Column): Column =>
      isDocument(column) ? columnOf(column.name, 0, 'documento', column.name.trim() !== '') : column
    return sheets.map((sheet) => ({ ...sheet, columns: sheet.columns.map(byName) }))
  }
  const has = ({ columns }: FoundSheet, key: string) => columns.some((column) => column.key === key)
  const typed = ['role cpf', 'role cnpj']
  if (!sheets.some((sheet) => has(sheet, 'role documento'))) return sheets
  if (sheets.some((sheet) => typed.every((key) => has(sheet, key)))) throw new FileProblem(['sheets_differ'])
  const either = (column: Column): Column =>
    typed.includes(column.key) ? { ...column, key: 'role documento', role: 'documento' } : column
  return sheets.map((sheet) => ({ ...sheet, columns: sheet.columns.map(either) }))
}

/** The name that all sheets use, else that of the role. */
const nameOf = (same: readonly Column[]): { role: ColumnRole | undefined; name: string } => {
  const [{ role, name }] = same as [Column]
  const agree = name.trim() !== '' && same.every((other) => plainHeader(other.name) === plainHeader(name))
  return { role, name: agree ? name : (role ?? '') }
}

const uniqueIn = (header: readonly string[], name: string): string => {
  if (name === '' || !header.some((each) => plainHeader(each) === plainHeader(name))) return name
  return uniqueIn(header, `${name} 2`)
}

/** The rows of the joined table. Titles and headers of the sheets are left out; cells beyond a header come last. */
export async function* joinedRows(
  workbook: Workbook,
  joined: JoinedSheets,
  extras?: SheetExtras,
): AsyncGenerator<WorkbookRow[]> {
  const { header, sheets } = joined
  yield [{ number: 1, hidden: false, cells: header, types: cellType.text.repeat(header.length) }]
  let number = 1
  for (const sheet of sheets) {
    for await (const rows of workbook.rows(sheet.name, extras)) {
      const own = rows.filter((row) => row.number > sheet.headerLine)
      yield own.map((row) => ({ ...placed(row, sheet, header.length), number: ++number }))
    }
  }
}

const placed = (row: WorkbookRow, { name, ownColumns, places }: JoinedSheet, width: number): WorkbookRow => {
  const cells = [name, String(row.number)]
  const types = [cellType.text, cellType.number] as string[]
  const styles = row.styles && ([] as typeof row.styles)
  const end = ownColumns > 0 ? Math.min(row.cells.length, places.length) : row.cells.length
  for (let at = 0; at < end; at++) {
    const place = places[at] ?? width + at - places.length
    cells[place] = row.cells[at] as string
    types[place] = row.types[at] as string
    if (styles) styles[place] = row.styles?.[at]
  }
  const letters = Array.from(types, (type = cellType.empty) => type)
  return { ...row, cells: Array.from(cells, (cell = '') => cell), types: letters.join(''), ...(styles && { styles }) }
}
