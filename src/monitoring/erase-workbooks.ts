import { readStoredFile } from '../batches/stored-file.ts'
import { readDocument } from '../domain/document.ts'
import { FileProblem } from '../files/csv/file-problem.ts'
import { readWorkbook, type WorkbookSource } from '../files/xlsx/read-workbook.ts'
import type { Sql } from '../store/connect.ts'
import { storedWorkbooks } from '../store/people/erase.ts'

/** The stored workbooks that have the person in any of their sheets. They are not mended but deleted: their text stays. */
export const workbooksAbout = async (sql: Sql, document: string, texts: string[]): Promise<bigint[]> => {
  const about: bigint[] = []
  for (const { id } of await storedWorkbooks(sql)) {
    if (await isAbout(readStoredFile(sql, id), document, texts)) about.push(id)
  }
  return about
}

/** Whether any cell of any sheet is about a person. One that cannot be read to its end might be. */
export const isAbout = async (source: WorkbookSource, document: string, texts: string[]): Promise<boolean> => {
  try {
    await using workbook = await readWorkbook(source)
    for (const { name } of workbook.sheets) {
      for await (const rows of workbook.rows(name)) {
        if (rows.some(({ cells }) => cells.some((cell) => isCellAbout(cell, document, texts)))) return true
      }
    }
    return false
  } catch (problem) {
    if (problem instanceof FileProblem) return true
    throw problem
  }
}

/** A number in a cell has lost its zeros, and then may be a CPF as well as a CNPJ. */
const isCellAbout = (cell: string, document: string, texts: string[]): boolean => {
  if (texts.some((text) => cell.toUpperCase().includes(text))) return true
  if (cell.length < 3 || cell.length > 64 || !/\d/.test(cell)) return false
  const digits = cell.replace(/[.\-/\s]/g, '')
  if (digits.length <= document.length && digits.padStart(document.length, '0') === document) return true
  const reading = readDocument(cell)
  return 'document' in reading && reading.document.number === document
}
