import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readWorkbook } from '../../../src/files/xlsx/read-workbook.ts'
import {
  centralHeader,
  dataDescriptor,
  endOfDirectory,
  localHeader,
  type ZipEntry,
} from '../../../src/files/xlsx/write/zip-writer.ts'
import { partsOf } from './hand-made.ts'

const fourGigabytes = 2 ** 32

test('parts and directory beyond the first four gigabytes of a file are found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-long-zip-'))
  try {
    const path = join(folder, 'long.xlsx')
    await writeWithHole(path, partsOf('<row r="1"><c r="A1"><v>42</v></c></row>'))
    await using workbook = await readWorkbook(path)
    for await (const [row] of workbook.rows('Plan1')) expect(row?.cells).toEqual(['42'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('sizes that need eight bytes have them, after the part and in the directory', () => {
  const entry = { name: Buffer.from('a'), offset: 7, crc: 1, size: fourGigabytes + 5, packedSize: 9 }
  expect(dataDescriptor(entry).readBigUInt64LE(16)).toBe(BigInt(entry.size))
  const header = centralHeader(entry)
  expect([header.readUInt32LE(24), header.readUInt32LE(20), header.readUInt32LE(42)]).toEqual([0xffffffff, 9, 7])
  expect(header.subarray(47)).toEqual(Buffer.from('01000800' + '0500000001000000', 'hex'))
})

/** The parts after the first stand behind a hole, which takes no space on the disk. */
const writeWithHole = async (path: string, parts: Record<string, string | Buffer>): Promise<void> => {
  await using file = await open(path, 'w')
  const entries: ZipEntry[] = []
  let offset = 0
  for (const [name, content] of Object.entries(parts)) {
    const packed = deflateRawSync(content)
    const entry = {
      name: Buffer.from(name),
      offset,
      crc: crc32(content),
      size: content.length,
      packedSize: packed.length,
    }
    const bytes = Buffer.concat([localHeader(entry), packed, dataDescriptor(entry)])
    await file.write(bytes, 0, bytes.length, offset)
    entries.push(entry)
    offset += bytes.length + (entries.length === 1 ? fourGigabytes : 0)
  }
  const directory = Buffer.concat(entries.map(centralHeader))
  await file.write(
    Buffer.concat([directory, endOfDirectory(entries.length, offset, directory.length)]),
    0,
    undefined,
    offset,
  )
}
