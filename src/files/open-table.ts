import type { FileHandle } from 'node:fs/promises'
import { findHeader, type ReadRequest, type SampleRow, sampleSize, sampleText } from './columns/find-header.ts'
import { FileProblem } from './file-problem.ts'
import { allSheets, type JoinedSheets, joinedRows, joinSheets } from './join-sheets.ts'
import { isWorkbook } from './looks-like.ts'
import { type SheetFacts, writeSheetText } from './sheet-text.ts'
import { takeBytes } from './take-bytes.ts'
import { putDown } from './xlsx/read/string-table.ts'
import { readWorkbook, type Workbook } from './xlsx/read-workbook.ts'

type Bytes = AsyncIterable<Uint8Array>

/**
 * Of a workbook: the sheet that the text comes from, all sheets, those with documents that are not read, and how several
 * were joined.
 */
type SheetRead = SheetFacts & { name: string; sheets: string[]; unread: string[]; joined: JoinedSheets | null }

/** A file as text, whatever its format; it may be read from its beginning any number of times. */
export type Table = AsyncDisposable & {
  open(): Bytes
  sheet: SheetRead | null
  /** Of a workbook: the open file that holds its text. */
  text: FileHandle | null
}

/** Opens a CSV as it is; of a workbook, the sheets that are asked for, or the first one that has documents. */
export const openTable = async (open: () => Bytes, request: ReadRequest): Promise<Table> => {
  if (!isWorkbook(await firstBytes(open()))) return tableOf(open, null, null)
  await using workbook = await readWorkbook(open())
  const { names, unread } = await chooseSheets(workbook, request)
  const joined = isOfAll(workbook, request) && names.length > 0 ? await planJoin(workbook, names, request) : null
  const facts: SheetFacts = { columns: 0, hiddenRows: 0 }
  const rows = joined ? joinedRows(workbook, joined) : workbook.rows(names[0] as string)
  const text = await putDown(writeSheetText(rows, facts), Number.POSITIVE_INFINITY)
  const sheets = workbook.sheets.map((sheet) => sheet.name)
  return tableOf(open, { ...facts, name: names.join(', '), sheets, unread, joined }, text)
}

const planJoin = async (workbook: Workbook, names: readonly string[], request: ReadRequest): Promise<JoinedSheets> => {
  const samples: { name: string; sample: SampleRow[] }[] = []
  for (const name of names) samples.push({ name, sample: await firstRows(workbook, name) })
  return joinSheets(samples, request)
}

/** A table whose text is that of the file itself, or stands in a separate file. */
export const tableOf = (open: () => Bytes, sheet: Table['sheet'], text: Table['text']): Table => ({
  open: text ? () => readFrom(text) : open,
  sheet,
  text,
  [Symbol.asyncDispose]: async () => text?.close(),
})

/** Reads by position: a stream of the file would close it when the first reader stops early, and break later readers. */
async function* readFrom(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(pieceSize), 0, pieceSize, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

const pieceSize = 64 * 1024

/** Enough bytes to distinguish a workbook from text. */
export const firstBytes = async (source: Bytes): Promise<Buffer> => {
  const iterator = source[Symbol.asyncIterator]()
  return takeBytes(iterator, 512).finally(() => iterator.return?.())
}

/** A sheet that has this name is read alone. */
const isOfAll = (workbook: Workbook, { choice }: ReadRequest): boolean =>
  choice.sheet === allSheets && !workbook.sheets.some(({ name }) => name === allSheets)

/** The sheets to read, and those that hold documents too. Hidden sheets are read only where they are asked for by name. */
const chooseSheets = async (
  workbook: Workbook,
  request: ReadRequest,
): Promise<{ names: string[]; unread: string[] }> => {
  const { sheets } = workbook
  const all = isOfAll(workbook, request)
  const asked = all ? undefined : request.choice.sheet
  const shown: string[] = []
  const hidden: string[] = []
  /** Their columns are not those that were chosen. */
  const others: string[] = []
  let filled: string | undefined
  for (const { name, hidden: isHidden } of sheets) {
    const sample = await firstRows(workbook, name).catch((problem) => {
      if (!all && (asked !== undefined || shown.length > 0) && problem instanceof FileProblem) return []
      throw problem
    })
    if (sample.length > 0 && !isHidden) filled ??= name
    if (hasDocuments(sample, request)) (isHidden ? hidden : shown).push(name)
    else if (hasDocuments(sample, { ...request, choice: {} })) others.push(name)
  }
  const [first = filled ?? sheets.find((sheet) => !sheet.hidden)?.name ?? sheets[0]?.name] = shown
  const names = all && shown.length > 0 ? shown : [(asked ?? first) as string]
  return { names, unread: [...shown, ...others, ...hidden].filter((name) => !names.includes(name)) }
}

const firstRows = async (workbook: Workbook, name: string): Promise<SampleRow[]> => {
  const sample: SampleRow[] = []
  let characters = 0
  for await (const rows of workbook.rows(name)) {
    for (const { number, cells } of rows) {
      sample.push({ line: number, cells })
      for (const cell of cells) characters += cell.length
    }
    if (sample.length >= sampleSize || characters >= sampleText) break
  }
  return sample.slice(0, sampleSize)
}

/** Whether the columns are found, or would be if a person named them. */
const hasDocuments = (sample: readonly SampleRow[], request: ReadRequest): boolean => {
  if (sample.length === 0) return false
  try {
    const { at } = findHeader(sample, request)
    return sample.length > (at ?? -1) + 1
  } catch (problem) {
    if (!(problem instanceof FileProblem)) throw problem
    if (sample.length < 2) return false
    return problem.reason[0] === 'several_columns' || (problem.reason[0] === 'no_column' && problem.reason[3] !== null)
  }
}
