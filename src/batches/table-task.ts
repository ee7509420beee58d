import type { FileHandle } from 'node:fs/promises'
import type { ReadRequest } from '../files/columns/find-header.ts'
import { openTable, type Table } from '../files/open-table.ts'
import type { ThreadTask } from '../files/thread/file-thread.ts'
import { type ReadLayout, readLayout, readTop, type TableTop } from './read-layout.ts'

export type TableQuestion = { request: ReadRequest; wants: 'layout' | 'top' }

/** For a workbook, `text` is an open file with the text of its sheet. */
export type TableAnswer = { sheet: Table['sheet']; text: FileHandle | null; found: ReadLayout | TableTop }

/** Unpacks a workbook and reads how a table is laid out; runs in the thread of `readInThread`. */
export const read: ThreadTask<TableQuestion, TableAnswer> = async ({ request, wants }, open) => {
  const table = await openTable(open, request)
  try {
    const found = wants === 'layout' ? await readLayout(table, request) : await readTop(table)
    const { sheet, text } = table
    return { output: { sheet, text, found }, moved: text ? [text] : [] }
  } catch (error) {
    await table[Symbol.asyncDispose]()
    throw error
  }
}
