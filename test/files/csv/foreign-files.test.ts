import { expect, test } from 'vitest'
import { detectDialect } from '../../../src/files/csv/detect-dialect.ts'
import { isWorkbook } from '../../../src/files/looks-like.ts'
import { readWorkbook } from '../../../src/files/xlsx/read-workbook.ts'

async function* bytes(head: string) {
  yield Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(64, 7)])
}

test.each([
  ['PK\x03\x04', 'zip file'],
  ['\xd0\xcf\x11\xe0', 'old Excel workbook'],
  ['%PDF-1.7', 'a PDF'],
  ['\x1f\x8b\x08', 'a gzip file'],
  ['Rar!', 'a RAR file'],
  ['7z\xbc\xaf', 'a 7-Zip file'],
  ['\x89PNG\r\n', 'an image (PNG)'],
  ['\xff\xd8\xff\xe0', 'an image (JPEG)'],
  ['GIF89a', 'an image (GIF)'],
  ['II*\0', 'an image (TIFF)'],
  ['MM\0*', 'an image (TIFF)'],
  ['RIFF', 'an image, a sound or a film (RIFF)'],
])('a file that begins with %j is named by its type, whatever its name, by both readers', async (head, what) => {
  const problem = await detectDialect(bytes(head)).catch((error) => error)
  expect(problem).toMatchObject({ code: 'not_text', message: expect.stringContaining(what) })
  const asWorkbook = /^(PK|\xd0)/.test(head) ? {} : { reason: ['not_workbook', problem.reason[1]] }
  await expect(readWorkbook(bytes(head))).rejects.toMatchObject(asWorkbook)
})

test.each([
  ['PK\x03\x04', true],
  ['PK\x05\x06', true],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', true],
  ['\xef\xbb\xbf <!DOCTYPE html>', true],
  ['<TABLE>', true],
  ['<?xml version="1.0"?>', true],
  ['cpf;nome', false],
  ['an XML file;a page', false],
  ['\xff\xfec\0p\0f\0', false],
  ['%PDF-1.7', false],
  ['\x1f\x8b\x08', false],
  ['\0\x01', false],
])('a file that begins with %j is read as a workbook: %s', (head, is) => {
  expect(isWorkbook(Buffer.from(head, 'latin1'))).toBe(is)
})
