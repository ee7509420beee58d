import type { FileHandle } from 'node:fs/promises'
import { WorkbookProblem } from '../workbook-problem.ts'

/** Throws a WorkbookProblem where the first bytes show that this is no zip, and says what it is instead. */
export const expectZip = async (file: FileHandle): Promise<void> => {
  const start = await bytesAt(file, 0, 512)
  if (start.length === 0) throw new WorkbookProblem('empty')
  if (startsWith(start, zipStart)) return
  if (startsWith(start, oleStart))
    throw new WorkbookProblem((await isEncrypted(file, start)) ? 'password' : 'old_excel')
  throw new WorkbookProblem('not_workbook', { looksLike: kindOf(start) })
}

/**
 * Whether a file is read as a workbook, by its first bytes: one is, or something that is saved under the same name and
 * that only a spreadsheet program opens. Other texts are taken for a CSV, whatever their name.
 */
export const isWorkbook = (start: Buffer): boolean =>
  startsWith(start, zipStart) || startsWith(start, oleStart) || /^an? (page|XML|empty zip)/.test(kindOf(start))

const zipStart = [0x50, 0x4b, 0x03, 0x04]
/** The container of Excel 97-2003, and of every Office file with a password. */
const oleStart = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/** The container lists its streams in a directory, whose first sector is named in the header. */
const isEncrypted = async (file: FileHandle, header: Buffer): Promise<boolean> => {
  if (header.length < 52) return false
  const sectorSize = 2 ** Math.min(header.readUInt16LE(30), 12)
  const directory = await bytesAt(file, (header.readUInt32LE(48) + 1) * sectorSize, 4096)
  return directory.includes(Buffer.from('EncryptedPackage', 'utf16le'))
}

const kindOf = (start: Buffer): string => {
  const found = signatures.find(({ bytes }) => startsWith(start, bytes))
  if (found) return found.kind
  const text = start.toString('latin1').replace(/^ï»¿/, '').trimStart().toLowerCase()
  if (/^(<!doctype html|<html|<table|<meta|<head)/.test(text)) return 'a page of HTML'
  if (text.startsWith('<?xml')) return 'an XML file'
  return looksLikeText(start) ? 'text' : 'something else'
}

const signatures: { bytes: number[]; kind: string }[] = [
  { bytes: [0x25, 0x50, 0x44, 0x46], kind: 'a PDF' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], kind: 'a picture' },
  { bytes: [0xff, 0xd8, 0xff], kind: 'a picture' },
  { bytes: [0x50, 0x4b, 0x05, 0x06], kind: 'an empty zip archive' },
  { bytes: [0x1f, 0x8b], kind: 'a gzip archive' },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], kind: 'a 7z archive' },
  { bytes: [0x52, 0x61, 0x72, 0x21], kind: 'a RAR archive' },
  { bytes: [0xff, 0xfe], kind: 'text' },
  { bytes: [0xfe, 0xff], kind: 'text' },
]

const looksLikeText = (start: Buffer): boolean =>
  start.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)

const startsWith = (bytes: Buffer, start: number[]): boolean => start.every((byte, i) => bytes[i] === byte)

const bytesAt = async (file: FileHandle, position: number, size: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, position)
  return buffer.subarray(0, bytesRead)
}
