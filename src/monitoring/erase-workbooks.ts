import { readStoredFile } from '../batches/stored-file.ts'
import { readDocument } from '../domain/document.ts'
import { FileProblem } from '../files/file-problem.ts'
import { readWorkbook, type WorkbookSource } from '../files/xlsx/read-workbook.ts'
import type { Sql } from '../store/connect.ts'
import { storedWorkbooks } from '../store/people/erase.ts'

type WorkbookAbout = { fileId: bigint; batchIds: bigint[]; rows: number }

/** The stored workbooks that have the person in any of their sheets. They are not mended but deleted: their text stays. */
export const workbooksAbout = async (sql: Sql, document: string, texts: string[]): Promise<WorkbookAbout[]> => {
  const about: WorkbookAbout[] = []
  for (const { fileId, batchIds } of await storedWorkbooks(sql)) {
    const rows = await countRowsAbout(readStoredFile(sql, fileId), document, texts)
    if (rows > 0) about.push({ fileId, batchIds, rows })
  }
  return about
}

/** How many rows of all its sheets are about a person. One that cannot be read to its end may have another. */
export const countRowsAbout = async (source: WorkbookSource, document: string, texts: string[]): Promise<number> => {
  let found = 0
  try {
    await using workbook = await readWorkbook(source)
    for (const { name } of workbook.sheets) {
      for await (const rows of workbook.rows(name)) {
        found += rows.filter(({ cells }) => cells.some((cell) => isCellAbout(cell, document, texts))).length
      }
    }
    return found
  } catch (problem) {
    if (problem instanceof FileProblem) return found + 1
    throw problem
  }
}

/** A number in a cell has lost its zeros, and then may be a CPF as well as a CNPJ. */
export const isCellAbout = (cell: string, document: string, texts: string[]): boolean => {
  if (texts.some((text) => cell.toUpperCase().includes(text))) return true
  if (cell.length < 3 || cell.length > 64 || !/\d/.test(cell)) return false
  const digits = cell.replace(/[.\-/\s]/g, '')
  if (digits.length <= document.length && digits.padStart(document.length, '0') === document) return true
  const reading = readDocument(cell)
  return 'document' in reading && reading.document.number === document
}
