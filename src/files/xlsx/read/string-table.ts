import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oversizedPart } from '../../file-problem.ts'
import { readCompleteXml } from './read-xml.ts'
import { RichText } from './rich-text.ts'
import type { WorkbookLimits } from './workbook-limits.ts'
import type { ZipParts } from './zip-parts.ts'

/** The texts that cells refer to by their number. */
export const readSharedStrings = async (parts: ZipParts, name: string | undefined): Promise<StringTable> => {
  const { limits } = parts
  const table = new StringTable(limits.sharedStringMemory)
  if (name === undefined) return table
  const item = new RichText(limits.cellLength, name)
  await readCompleteXml({ parts, name, root: 'sst' }, (token, tokens) => {
    if (tokens.depth === 2 && tokens.name === 'si' && token === 'open') item.clear()
    else if (tokens.depth === 2 && tokens.name === 'si' && token === 'close') add(table, item.text, limits, name)
    else if (tokens.depth > 2) item.see(token, tokens)
  })
  return table
}

const add = (table: StringTable, text: string, limits: WorkbookLimits, part: string): void => {
  table.add(text)
  if (table.count > limits.sharedStrings) throw oversizedPart(part, limits.sharedStrings, 'texts')
  if (table.size > limits.sharedStringBytes) throw oversizedPart(part, limits.sharedStringBytes, 'bytes_of_text')
}

const blockSize = 1024 * 1024
const offsetsInBlock = 64 * 1024

/**
 * Keeps millions of texts as bytes in a few large blocks: as strings they would take five times the memory. Bytes beyond
 * `memory` are written to a file without a name, which the system keeps in its cache as long as it can.
 */
export class StringTable {
  #count = 0
  readonly #memory: number
  readonly #blocks: Buffer[] = []
  #size = 0
  /** Where each text begins; it ends where the next one begins. */
  readonly #offsets: Uint32Array[] = []
  #file: number | undefined
  #scratch = Buffer.allocUnsafe(4096)

  constructor(memory: number) {
    this.#memory = Math.ceil(memory / blockSize) * blockSize
  }

  get count(): number {
    return this.#count
  }

  /** Bytes of all texts. */
  get size(): number {
    return this.#size
  }

  add(text: string): void {
    this.#setOffset(this.#count++, this.#size)
    if (!this.#appendShort(text)) {
      const bytes = Buffer.from(text)
      for (let from = 0; from < bytes.length; ) from += this.#append(bytes, from)
    }
    this.#setOffset(this.#count, this.#size)
  }

  /** The text of that number, or undefined where there is none. */
  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) return undefined
    const start = this.#offset(index)
    const length = this.#offset(index + 1) - start
    const block = this.#blocks[Math.floor(start / blockSize)]
    const from = start % blockSize
    if (block && from + length <= blockSize) return block.toString('utf8', from, from + length)
    return this.#gather(start, length).toString('utf8', 0, length)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** Most texts fit into the current block, and are encoded right into it. */
  #appendShort(text: string): boolean {
    const from = this.#size % blockSize
    const block = this.#blocks[Math.floor(this.#size / blockSize)]
    if (!block || from + text.length * 3 >= blockSize) return false
    this.#size += block.write(text, from)
    return true
  }

  #append(bytes: Buffer, from: number): number {
    const number = Math.floor(this.#size / blockSize)
    this.#blocks[number] ??= Buffer.allocUnsafe(blockSize)
    const copied = bytes.copy(this.#blocks[number], this.#size % blockSize, from)
    this.#size += copied
    if (this.#size % blockSize === 0 && this.#size > this.#memory) this.#putDown(number)
    return copied
  }

  #putDown(number: number): void {
    this.#file ??= openUnnamedFile()
    writeSync(this.#file, this.#blocks[number] as Buffer, 0, blockSize, number * blockSize)
    delete this.#blocks[number]
  }

  /** Copies a text that spans two blocks, or is in the file, into a buffer that the next such text reuses. */
  #gather(start: number, length: number): Buffer {
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafe(length)
    for (let done = 0; done < length; ) {
      const number = Math.floor((start + done) / blockSize)
      const from = (start + done) % blockSize
      const size = Math.min(length - done, blockSize - from)
      const block = this.#blocks[number]
      if (block) block.copy(this.#scratch, done, from, from + size)
      else readSync(this.#file as number, this.#scratch, done, size, start + done)
      done += size
    }
    return this.#scratch
  }

  #setOffset(index: number, offset: number): void {
    const block = Math.floor(index / offsetsInBlock)
    this.#offsets[block] ??= new Uint32Array(offsetsInBlock)
    this.#offsets[block][index % offsetsInBlock] = offset
  }

  #offset(index: number): number {
    return (this.#offsets[Math.floor(index / offsetsInBlock)] as Uint32Array)[index % offsetsInBlock] as number
  }
}

const folderName = join(tmpdir(), 'vigia-workbook-')

/** A file that only this process can open and that disappears when the process ends: it holds documents of people. */
const openUnnamedFile = (): number => {
  const folder = mkdtempSync(folderName)
  try {
    return openSync(join(folder, 'bytes'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes a stream to such a file: a zip can only be read from its end. */
export const putDown = async (source: AsyncIterable<Uint8Array>, most: number): Promise<FileHandle> => {
  const folder = await mkdtemp(folderName)
  const file = await open(join(folder, 'bytes'), 'wx+', 0o600).finally(() => rm(folder, { recursive: true }))
  try {
    let size = 0
    for await (const bytes of source) {
      size += bytes.length
      if (size > most) throw oversizedPart(['the_file'], most, 'bytes')
      await file.writeFile(bytes)
    }
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
