import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { readWorkbook, type WorkbookRow } from '../../src/files/xlsx/read-workbook.ts'
import { collect } from '../files/csv/bytes.ts'

/** The rows of a CSV report, by their headers. */
export const readCsv = async (path: string): Promise<Record<string, string>[]> =>
  parse(await readFile(path), { bom: true, columns: true, delimiter: ';', relax_column_count: true })

/** The sheets of a workbook by their names, in the order of their tabs. */
export const sheetsIn = async (path: string): Promise<Record<string, WorkbookRow[]>> => {
  await using workbook = await readWorkbook(createReadStream(path))
  const sheets: Record<string, WorkbookRow[]> = {}
  for (const { name, hidden } of workbook.sheets) {
    sheets[hidden ? `${name}, hidden` : name] = (await collect(workbook.rows(name))).flat()
  }
  return sheets
}
