import { pipeline, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/**
 * Writes a zip into a sink, part after part, without keeping any. The size of a part need not be known in advance: it
 * follows the part, in the long form where necessary.
 */
export const writeZip = (sink: Writable) => {
  const entries: ZipEntry[] = []
  let offset = 0
  // The writer receives the error from its own call; without a listener the event would end the process.
  sink.on('error', () => {})
  /** Waits while the sink is full, so that a slow disk slows down the producer of the rows. */
  const write = (bytes: Uint8Array): Promise<void> => {
    offset += bytes.length
    return new Promise((resolve, reject) => {
      sink.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  }
  return {
    async add(name: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
      const entry: ZipEntry = { name: Buffer.from(name), offset, crc: 0, size: 0, packedSize: 0 }
      await write(localHeader(entry))
      const packer = createDeflateRaw({ level, chunkSize: 64 * 1024 })
      const packed = pipeline(counted(content, entry), packer, () => {})
      for await (const bytes of packed) {
        entry.packedSize += bytes.length
        await write(bytes)
      }
      await write(dataDescriptor(entry))
      entries.push(entry)
    },

    async end(): Promise<void> {
      const start = offset
      for (const entry of entries) await write(centralHeader(entry))
      await write(endOfDirectory(entries.length, start, offset - start))
      sink.end()
      await finished(sink)
    },
  }
}

/** Packs a report to a seventh, as fast as level 1; level 6 takes more than twice as long and saves a tenth. */
const level = 2

async function* counted(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, entry: ZipEntry) {
  for await (const bytes of content) {
    entry.size += bytes.length
    entry.crc = crc32(bytes, entry.crc)
    yield bytes
  }
}

/** A part of a zip, as far as it is known. */
export type ZipEntry = { name: Buffer; offset: number; crc: number; size: number; packedSize: number }

/** Sizes follow the part (8); its name is UTF-8 (0x800). */
const flags = 0x0808
const deflated = 8
/** A value that does not fit into four bytes is written as this, and stands in a separate field of eight. */
const most = 0xffffffff
/** 1 January 1980, so that the same rows make the same file. */
const date = 0x0021

export const localHeader = ({ name }: ZipEntry): Buffer => {
  const header = Buffer.alloc(30)
  header.write('PK\x03\x04', 'latin1')
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(deflated, 8)
  header.writeUInt16LE(date, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

export const dataDescriptor = (entry: ZipEntry): Buffer => {
  const long = needsLong(entry.size) || needsLong(entry.packedSize)
  const descriptor = Buffer.alloc(long ? 24 : 16)
  descriptor.write('PK\x07\x08', 'latin1')
  descriptor.writeUInt32LE(entry.crc, 4)
  if (long) {
    descriptor.writeBigUInt64LE(BigInt(entry.packedSize), 8)
    descriptor.writeBigUInt64LE(BigInt(entry.size), 16)
  } else {
    descriptor.writeUInt32LE(entry.packedSize, 8)
    descriptor.writeUInt32LE(entry.size, 12)
  }
  return descriptor
}

export const centralHeader = (entry: ZipEntry): Buffer => {
  const extra = longSizes([entry.size, entry.packedSize, entry.offset])
  const header = Buffer.alloc(46)
  header.write('PK\x01\x02', 'latin1')
  header.writeUInt16LE(extra.length > 0 ? 45 : 20, 4)
  header.writeUInt16LE(extra.length > 0 ? 45 : 20, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(deflated, 10)
  header.writeUInt16LE(date, 14)
  header.writeUInt32LE(entry.crc, 16)
  header.writeUInt32LE(Math.min(entry.packedSize, most), 20)
  header.writeUInt32LE(Math.min(entry.size, most), 24)
  header.writeUInt16LE(entry.name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(Math.min(entry.offset, most), 42)
  return Buffer.concat([header, entry.name, extra])
}

export const endOfDirectory = (count: number, start: number, size: number): Buffer => {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(Math.min(size, most), 12)
  end.writeUInt32LE(Math.min(start, most), 16)
  return needsLong(start) ? Buffer.concat([longEnd(count, start, size), end]) : end
}

const needsLong = (value: number): boolean => value >= most

/** In this order, and only those that did not fit. */
const longSizes = (values: number[]): Buffer => {
  const long = values.filter(needsLong)
  if (long.length === 0) return Buffer.alloc(0)
  const extra = Buffer.alloc(4 + 8 * long.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * long.length, 2)
  for (const [i, value] of long.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i)
  return extra
}

/** The same in eight bytes each, and where to find it. */
const longEnd = (count: number, start: number, size: number): Buffer => {
  const end = Buffer.alloc(76)
  end.write('PK\x06\x06', 'latin1')
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(45, 12)
  end.writeUInt16LE(45, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(size), 40)
  end.writeBigUInt64LE(BigInt(start), 48)
  end.write('PK\x06\x07', 56, 'latin1')
  end.writeBigUInt64LE(BigInt(start + size), 64)
  end.writeUInt32LE(1, 72)
  return end
}
