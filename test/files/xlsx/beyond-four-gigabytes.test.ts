import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openPromise } from 'yauzl'
import {
  centralHeader,
  dataDescriptor,
  endOfDirectory,
  localHeader,
  type ZipEntry,
} from '../../../src/files/xlsx/write/zip-writer.ts'

const fourGigabytes = 2 ** 32

test('another reader finds parts and directory beyond the first four gigabytes of a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-long-zip-'))
  try {
    const path = join(folder, 'long.zip')
    await writeWithHole(path, ['one', 'two', 'three'])
    const zip = await openPromise(path, { lazyEntries: true })
    const found: string[] = []
    for await (const entry of zip.eachEntry())
      found.push(entry.fileName, String(await buffer(await zip.openReadStreamPromise(entry))))
    expect(found).toEqual(['one', 'one', 'two', 'two', 'three', 'three'])
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

/** Parts that hold their own name. Those after the first stand behind a hole, which takes no space on the disk. */
const writeWithHole = async (path: string, parts: string[]): Promise<void> => {
  await using file = await open(path, 'w')
  const entries: ZipEntry[] = []
  let offset = 0
  for (const text of parts) {
    const [name, packed] = [Buffer.from(text), deflateRawSync(text)]
    const entry = { name, offset, crc: crc32(text), size: text.length, packedSize: packed.length }
    const bytes = Buffer.concat([localHeader(entry), packed, dataDescriptor(entry)])
    await file.write(bytes, 0, bytes.length, offset)
    entries.push(entry)
    offset += bytes.length + (entries.length === 1 ? fourGigabytes : 0)
  }
  const directory = Buffer.concat(entries.map(centralHeader))
  const end = Buffer.concat([directory, endOfDirectory(entries.length, offset, directory.length)])
  await file.write(end, 0, end.length, offset)
}
