import type { FileHandle } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { crc32, createInflateRaw, InflateRaw } from 'node:zlib'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import type { Message } from '../../../messages/message.ts'
import { damagedPart, FileProblem, oversizedPart } from '../../file-problem.ts'
import type { WorkbookLimits } from './workbook-limits.ts'

/** The parts of a workbook. Their names are compared without regard to case, as the format requires. */
export type ZipParts = {
  /** How much of them is read. */
  limits: WorkbookLimits
  has(name: string): boolean
  names(): string[]
  read(name: string): AsyncGenerator<Buffer>
}

/**
 * Opens the zip that a workbook is, and trusts nothing that it claims about itself: parts, their bytes and how far these
 * expand are counted as they are read.
 */
export const openZipParts = async (file: FileHandle, limits: WorkbookLimits): Promise<ZipParts> => {
  const zip = await fromFdPromise(file.fd, { autoClose: false, decodeStrings: true }).catch(damaged(['the_zip']))
  const entries = await readDirectory(zip, limits).catch(damaged(['the_zip']))
  const find = (name: string): Entry | undefined => entries.get(name.toLowerCase())
  return {
    limits,
    has: (name) => find(name) !== undefined,
    names: () => [...entries.values()].map((entry) => entry.fileName),
    async *read(name) {
      const entry = find(name)
      if (!entry) throw damagedPart(name, ['part_missing'])
      yield* readEntry(zip, entry, limits)
    },
  }
}

const readDirectory = async (zip: ZipFile, limits: WorkbookLimits): Promise<Map<string, Entry>> => {
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase()
    if (entries.has(name)) throw damagedPart(entry.fileName, ['part_twice'])
    entries.set(name, entry)
    if (entries.size > limits.parts) throw oversizedPart(['the_zip'], limits.parts, 'parts')
  }
  expectNoOverlap([...entries.values()])
  return entries
}

/** Parts that share bytes let a small file expand without end, and none of them would look suspicious alone. */
const expectNoOverlap = (entries: Entry[]): void => {
  const inOrder = entries.sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  let end = 0
  for (const entry of inOrder) {
    if (entry.relativeOffsetOfLocalHeader < end) throw new FileProblem(['overlapping_parts', entry.fileName])
    end = entry.relativeOffsetOfLocalHeader + localHeaderSize + entry.compressedSize
  }
}

/** Without the name and the extra fields, which may differ from those in the directory. */
const localHeaderSize = 30

async function* readEntry(zip: ZipFile, entry: Entry, limits: WorkbookLimits): AsyncGenerator<Buffer> {
  const part = entry.fileName
  const unpacked = await unpack(zip, entry)
  let size = 0
  let sum = 0
  try {
    for await (const bytes of unpacked) {
      size += bytes.length
      sum = crc32(bytes, sum)
      expectWithinLimits(part, size, unpacked, limits)
      yield bytes
    }
  } catch (error) {
    damaged(part)(error)
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) throw damagedPart(part, ['checksum_wrong'])
}

const expectWithinLimits = (
  part: string,
  size: number,
  unpacked: Readable,
  { partBytes, ratio, ratioFrom }: WorkbookLimits,
): void => {
  if (size > partBytes) throw oversizedPart(part, partBytes, 'bytes')
  if (size > ratioFrom && unpacked instanceof InflateRaw && size > unpacked.bytesWritten * ratio)
    throw oversizedPart(part, ratio, 'bytes_unpacked_of_one')
}

const unpack = async (zip: ZipFile, entry: Entry): Promise<Readable> => {
  const part = entry.fileName
  if (entry.isEncrypted()) throw new FileProblem(['encrypted_part', part])
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated)
    throw damagedPart(part, ['packing_unusual'])
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false }).catch(damaged(part))
  if (entry.compressionMethod === stored) return packed
  return pipeline(packed, createInflateRaw({ chunkSize: 16 * 1024 }), () => {})
}

const stored = 0
const deflated = 8

/**
 * An error of yauzl or zlib is the file's fault; a folder that cannot be read is not. Their messages come from outside and
 * are not translated.
 */
const damaged =
  (part: string | Message) =>
  (error: unknown): never => {
    if (error instanceof FileProblem || !(error instanceof Error) || 'syscall' in error) throw error
    throw damagedPart(part, ['text', error.message])
  }
