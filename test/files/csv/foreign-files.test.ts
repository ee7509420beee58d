import { expect, test } from 'vitest'
import { detectDialect } from '../../../src/files/csv/detect-dialect.ts'

async function* bytes(head: string) {
  yield Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(64, 7)])
}

test.each([
  ['PK\x03\x04', 'zip file'],
  ['\xd0\xcf\x11\xe0', 'old Excel workbook'],
  ['%PDF-1.7', 'a PDF'],
  ['\x1f\x8b\x08', 'a gzip file'],
  ['\x89PNG\r\n', 'an image (PNG)'],
  ['\xff\xd8\xff\xe0', 'an image (JPEG)'],
  ['GIF89a', 'an image (GIF)'],
  ['II*\0', 'an image (TIFF)'],
])('a file that begins with %j is told as what it is, whatever its name', async (head, what) => {
  await expect(detectDialect(bytes(head))).rejects.toMatchObject({
    code: 'not_text',
    message: expect.stringContaining(what),
  })
})
