import type { FileHandle } from 'node:fs/promises'
import { findHeader, type ReadRequest, type SampleRow, sampleSize, sampleText } from './columns/find-header.ts'
import { FileProblem } from './file-problem.ts'
import { type SheetFacts, writeSheetText } from './sheet-text.ts'
import { isWorkbook } from './xlsx/read/recognise-file.ts'
import { putDown } from './xlsx/read/unnamed-file.ts'
import { readWorkbook, type Workbook } from './xlsx/read-workbook.ts'

type Bytes = AsyncIterable<Uint8Array>

/** A file as text, whatever its format; it may be read from its beginning any number of times. */
export type Table = AsyncDisposable & {
  open(): Bytes
  /** Of a workbook: the sheet that the text comes from. */
  sheet: (SheetFacts & { name: string; sheets: string[] }) | null
  /** Of a workbook: the open file that holds its text. */
  text: FileHandle | null
}

/** Opens a CSV as it is; of a workbook, the sheet that is asked for, or the first one that has documents. */
export const openTable = async (open: () => Bytes, request: ReadRequest): Promise<Table> => {
  if (!isWorkbook(await firstBytes(open()))) return tableOf(open, null, null)
  await using workbook = await readWorkbook(open())
  const name = await chooseSheet(workbook, request)
  const facts: SheetFacts = { columns: 0, hiddenRows: 0 }
  const text = await putDown(writeSheetText(workbook.rows(name), facts), Number.POSITIVE_INFINITY)
  const sheets = workbook.sheets.map((sheet) => sheet.name)
  return tableOf(open, { ...facts, name, sheets }, text)
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
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of source) {
    pieces.push(piece)
    size += piece.length
    if (size >= 512) break
  }
  return Buffer.concat(pieces)
}

/** Hidden sheets are read only where they are asked for by name. */
const chooseSheet = async (workbook: Workbook, request: ReadRequest): Promise<string> => {
  const { sheet } = request.choice
  if (sheet !== undefined) return sheet
  const shown = workbook.sheets.filter(({ hidden }) => !hidden)
  const filled: string[] = []
  for (const { name } of shown) {
    const sample = await firstRows(workbook, name)
    if (sample.length > 0) filled.push(name)
    if (hasDocuments(sample, request)) return name
  }
  const [first = shown[0]?.name ?? workbook.sheets[0]?.name] = filled
  return first as string
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
