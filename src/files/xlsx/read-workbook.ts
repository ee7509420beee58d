import type { FileHandle } from 'node:fs/promises'
import { FileProblem } from '../file-problem.ts'
import { looksLike } from '../looks-like.ts'
import { readNumberFormats } from './read/number-formats.ts'
import { readSheetRows, type SheetExtras, type WorkbookRow } from './read/sheet-rows.ts'
import { putDown, readSharedStrings } from './read/string-table.ts'
import { type WorkbookLimits, workbookLimits } from './read/workbook-limits.ts'
import { readOutline, type WorkbookOutline } from './read/workbook-outline.ts'
import { openZipParts, type ZipParts } from './read/zip-parts.ts'

export type { SheetExtras, WorkbookRow } from './read/sheet-rows.ts'

export type Workbook = AsyncDisposable & {
  /** In the order of their tabs, with hidden ones. */
  sheets: WorkbookOutline['sheets']
  /** Hidden rows are included and marked: otherwise a forgotten filter would lose rows. */
  rows(sheet: string, extras?: SheetExtras): AsyncGenerator<WorkbookRow[]>
  /** What it is read from, to copy parts of it. */
  source: { parts: ZipParts; outline: WorkbookOutline }
}

/**
 * Opens a workbook (.xlsx, .xlsm; both dialects of the format) for reading in constant memory; its bytes are written to a
 * file first. It is untrusted: throws a FileProblem, here or while its rows are read, where it is something else, broken,
 * or larger than `limits`. Links, macros and formulas are neither followed nor run.
 */
export const readWorkbook = async (
  source: AsyncIterable<Uint8Array>,
  limits: Partial<WorkbookLimits> = {},
): Promise<Workbook> => {
  const all = { ...workbookLimits, ...limits }
  const file = await putDown(source, all.fileBytes)
  try {
    await expectZip(file)
    const parts = await openZipParts(file, all)
    return workbook(parts, await readOutline(parts), file)
  } catch (error) {
    await file.close()
    throw error
  }
}

const workbook = (parts: ZipParts, outline: WorkbookOutline, file: FileHandle): Workbook => {
  let cells: ReturnType<typeof readCellSource> | undefined
  return {
    sheets: outline.sheets,
    source: { parts, outline },
    async *rows(sheet, extras) {
      const place = outline.sheets.find(({ name }) => name === sheet)
      if (!place) throw new FileProblem(['unknown_sheet', sheet, listed(outline)])
      cells ??= readCellSource(parts, outline, file)
      yield* readSheetRows({ parts, name: place.part, root: 'worksheet' }, await cells, extras)
    },
    async [Symbol.asyncDispose]() {
      const read = await cells?.catch(() => undefined)
      read?.strings.close()
      await file.close()
    },
  }
}

const readCellSource = async (parts: ZipParts, outline: WorkbookOutline, file: FileHandle) => {
  const { ratio, ratioFrom } = parts.limits
  const mostText = Math.max(ratioFrom, (await file.stat()).size * ratio)
  const formats = await readNumberFormats(parts, outline.styles)
  const strings = await readSharedStrings(parts, outline.sharedStrings)
  return { strings, formats, date1904: outline.date1904, mostText }
}

const listed = ({ sheets }: WorkbookOutline): string => sheets.map(({ name }) => `"${name}"`).join(', ')

/** Throws a FileProblem if the first bytes show that this is not a zip; the problem says what it is instead. */
const expectZip = async (file: FileHandle): Promise<void> => {
  const start = await bytesAt(file, 0, 512)
  if (start.length === 0) throw new FileProblem(['workbook_empty'])
  const kind = looksLike(start)
  if (kind === 'zip') return
  if (kind === 'old_excel')
    throw new FileProblem((await isEncrypted(file, start)) ? ['workbook_password'] : ['old_excel'])
  throw new FileProblem(['not_workbook', kind])
}

/** The container lists its streams in a directory, whose first sector is given in the header. */
const isEncrypted = async (file: FileHandle, header: Buffer): Promise<boolean> => {
  if (header.length < 52) return false
  const sectorSize = 2 ** Math.min(header.readUInt16LE(30), 12)
  const directory = await bytesAt(file, (header.readUInt32LE(48) + 1) * sectorSize, 4096)
  return directory.includes(Buffer.from('EncryptedPackage', 'utf16le'))
}

const bytesAt = async (file: FileHandle, position: number, size: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, position)
  return buffer.subarray(0, bytesRead)
}
