import type { FileHandle } from 'node:fs/promises'
import type { LooksLike } from '../../../messages/en/messages.ts'
import { looksLike } from '../../looks-like.ts'
import { WorkbookProblem } from '../workbook-problem.ts'

/** Throws a WorkbookProblem if the first bytes show that this is not a zip; the problem says what it is instead. */
export const expectZip = async (file: FileHandle): Promise<void> => {
  const start = await bytesAt(file, 0, 512)
  if (start.length === 0) throw new WorkbookProblem(['workbook_empty'])
  const kind = looksLike(start)
  if (kind === 'zip') return
  if (kind === 'old_excel')
    throw new WorkbookProblem((await isEncrypted(file, start)) ? ['workbook_password'] : ['old_excel'])
  throw new WorkbookProblem(['not_workbook', kind])
}

/**
 * Whether a file is read as a workbook, by its first bytes: a workbook, or a format that is saved under the same name and
 * that only a spreadsheet program opens. Other texts are read as CSV, whatever their name.
 */
export const isWorkbook = (start: Buffer): boolean => savedAsWorkbook.includes(looksLike(start))

const savedAsWorkbook: LooksLike[] = ['zip', 'empty_zip', 'old_excel', 'html', 'xml']

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
