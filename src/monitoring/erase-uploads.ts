import { readStoredFile } from '../batches/stored-file.ts'
import { detectDialect } from '../files/csv/detect-dialect.ts'
import { openCsv } from '../files/csv/read.ts'
import { FileProblem } from '../files/file-problem.ts'
import { firstBytes } from '../files/open-table.ts'
import { isWorkbook } from '../files/xlsx/read/recognise-file.ts'
import type { Sql } from '../store/connect.ts'
import { storedUploads } from '../store/people/erase.ts'
import { mentionsIn } from './erase-files.ts'
import { countRowsAbout, isCellAbout } from './erase-workbooks.ts'

type Open = () => AsyncIterable<Uint8Array>

/** The files that wait on the page and name the person. Nobody has said which of their columns is what: any cell may. */
export const uploadsAbout = async (sql: Sql, document: string, texts: string[]): Promise<{ rows: number }[]> => {
  const about: { rows: number }[] = []
  for (const { fileId } of await storedUploads(sql)) {
    const rows = await countIn(() => readStoredFile(sql, fileId), document, texts)
    if (rows > 0) about.push({ rows })
  }
  return about
}

const countIn = async (open: Open, document: string, texts: string[]): Promise<number> => {
  if (isWorkbook(await firstBytes(open()))) return countRowsAbout(open(), document, texts)
  try {
    return await countRecords(open, document, texts)
  } catch (problem) {
    if (problem instanceof FileProblem) return (await mentionsIn(open(), texts)) ? 1 : 0
    throw problem
  }
}

const countRecords = async (open: Open, document: string, texts: string[]): Promise<number> => {
  const csv = await openCsv(open(), { ...(await detectDialect(open())), header: false })
  let found = 0
  for await (const records of csv.records) {
    found += records.filter(({ cells }) => cells.some((cell) => isCellAbout(cell, document, texts))).length
  }
  return found
}
