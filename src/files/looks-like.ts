import type { LooksLike } from '../messages/en/messages.ts'

/** The type of a file by its first bytes, whatever its name says. */
export const looksLike = (start: Buffer): LooksLike => {
  const head = start.subarray(0, headSize)
  const text = head.toString('latin1')
  const [, found] = magic.find(([bytes]) => text.startsWith(bytes)) ?? []
  return found ?? withoutMagic(head, text)
}

/**
 * Whether a file is read as a workbook, by its first bytes: a workbook, or a format that is saved under the same name and
 * that only a spreadsheet program opens. Other texts are read as CSV, whatever their name.
 */
export const isWorkbook = (start: Buffer): boolean => savedAsWorkbook.includes(looksLike(start))

const savedAsWorkbook: LooksLike[] = ['zip', 'empty_zip', 'old_excel', 'html', 'xml']

/** All callers judge by the same number of bytes, so they all come to the same result. */
const headSize = 512

/** How the recognizable types begin; each character is a byte. */
const magic: [bytes: string, kind: LooksLike][] = [
  ['PK\x03\x04', 'zip'],
  ['PK\x05\x06', 'empty_zip'],
  // The container of Excel 97-2003, and of every Office file with a password.
  ['\xd0\xcf\x11\xe0', 'old_excel'],
  ['%PDF', 'pdf'],
  ['\x1f\x8b', 'gzip'],
  ['Rar!', 'rar'],
  ['7z\xbc\xaf', 'seven_zip'],
  ['\x89PNG', 'png'],
  ['\xff\xd8\xff', 'jpeg'],
  ['GIF8', 'gif'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['RIFF', 'riff'],
  // The byte order marks of UTF-16.
  ['\xff\xfe', 'text'],
  ['\xfe\xff', 'text'],
]

const withoutMagic = (head: Buffer, text: string): LooksLike => {
  const opening = text.replace(/^ï»¿/, '').trimStart().toLowerCase()
  if (/^<(!doctype\s+html|html|table|meta|head)/.test(opening)) return 'html'
  if (opening.startsWith('<?xml')) return 'xml'
  return head.every(isOfText) ? 'text' : 'unknown'
}

const isOfText = (byte: number): boolean => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
