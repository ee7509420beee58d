import type { ReadRequest } from '../files/columns/find-header.ts'
import { type Table, tableOf } from '../files/open-table.ts'
import { readInThread, type ThreadLimits } from '../files/thread/read-in-thread.ts'
import type { ReadLayout, TableTop } from './read-layout.ts'
import type { TableAnswer, TableQuestion } from './table-task.ts'

type Open = () => AsyncIterable<Uint8Array>

/** Opens a table and reads its layout, in a thread; a FileProblem says why it cannot be read. */
export const readTable = (open: Open, request: ReadRequest, limits?: ThreadLimits): Promise<Table & ReadLayout> =>
  ask<ReadLayout>(open, { request, wants: 'layout' }, limits)

/** The same for a file that a person still has to explain: only its first rows. */
export const readTableTop = (open: Open, request: ReadRequest): Promise<Table & TableTop> =>
  ask<TableTop>(open, { request, wants: 'top' })

const ask = async <Found>(open: Open, input: TableQuestion, limits?: ThreadLimits): Promise<Table & Found> => {
  const module = new URL('./table-task.ts', import.meta.url)
  const { sheet, text, found } = await readInThread<TableAnswer>({ module, input, open, limits })
  return { ...tableOf(open, sheet, text), ...(found as Found) }
}
