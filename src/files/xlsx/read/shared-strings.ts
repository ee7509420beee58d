import { WorkbookProblem } from '../workbook-problem.ts'
import { readCompleteXml } from './read-xml.ts'
import { RichText } from './rich-text.ts'
import { StringTable } from './string-table.ts'
import type { WorkbookLimits } from './workbook-limits.ts'
import type { ZipParts } from './zip-parts.ts'

/** The texts that cells refer to by their number. */
export const readSharedStrings = async (
  parts: ZipParts,
  name: string | undefined,
  limits: WorkbookLimits,
): Promise<StringTable> => {
  const table = new StringTable(limits.sharedStringMemory)
  if (name === undefined) return table
  const item = new RichText(limits.cellLength, name)
  await readCompleteXml({ parts, name, root: 'sst', limits }, (token, tokens) => {
    if (tokens.depth === 2 && tokens.name === 'si' && token === 'open') item.clear()
    else if (tokens.depth === 2 && tokens.name === 'si' && token === 'close') add(table, item.text, limits, name)
    else if (tokens.depth > 2) item.see(token, tokens)
  })
  return table
}

const add = (table: StringTable, text: string, limits: WorkbookLimits, part: string): void => {
  table.add(text)
  if (table.count > limits.sharedStrings)
    throw new WorkbookProblem(['workbook_large', part, limits.sharedStrings, 'texts'])
  if (table.size > limits.sharedStringBytes)
    throw new WorkbookProblem(['workbook_large', part, limits.sharedStringBytes, 'bytes_of_text'])
}
