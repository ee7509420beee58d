import { pipeline, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { centralHeader, dataDescriptor, endOfDirectory, localHeader, type ZipEntry } from './zip-headers.ts'

/**
 * Writes a zip into a sink, part after part, without keeping any. The size of a part need not be known in advance: it
 * follows the part, in the long form where necessary.
 */
export class ZipWriter {
  readonly #sink: Writable
  readonly #level: number
  readonly #entries: ZipEntry[] = []
  #offset = 0

  constructor(sink: Writable, level: number) {
    this.#sink = sink
    this.#level = level
    // The writer receives the error from its own call; without a listener the event would end the process.
    sink.on('error', () => {})
  }

  async add(name: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const entry: ZipEntry = { name: Buffer.from(name), offset: this.#offset, crc: 0, size: 0, packedSize: 0 }
    await this.#write(localHeader(entry))
    const packer = createDeflateRaw({ level: this.#level, chunkSize: 64 * 1024 })
    const packed = pipeline(counted(content, entry), packer, () => {})
    for await (const bytes of packed) {
      entry.packedSize += bytes.length
      await this.#write(bytes)
    }
    await this.#write(dataDescriptor(entry))
    this.#entries.push(entry)
  }

  async end(): Promise<void> {
    const start = this.#offset
    for (const entry of this.#entries) await this.#write(centralHeader(entry))
    await this.#write(endOfDirectory(this.#entries.length, start, this.#offset - start))
    this.#sink.end()
    await finished(this.#sink)
  }

  /** Waits while the sink is full, so that a slow disk slows down the producer of the rows. */
  async #write(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length
    await new Promise<void>((resolve, reject) => {
      this.#sink.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  }
}

async function* counted(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, entry: ZipEntry) {
  for await (const bytes of content) {
    entry.size += bytes.length
    entry.crc = crc32(bytes, entry.crc)
    yield bytes
  }
}
