import { ByteRoom } from './byte-room.ts'

/** Reads slices of a stream of bytes, each further on than the one before, in flat memory. */
export class SlicedText {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #read = new ByteRoom()
  /** Where the first byte that is kept stands in the whole text. */
  #start = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The slice where it has been read already; undefined where more must be read first, see `reach`. */
  slice(start: number, end: number): Buffer | undefined {
    if (end > this.#start + this.#read.size) return undefined
    return this.#read.slice(start - this.#start, end - this.#start)
  }

  /** Reads on until the slice is there; what lies before it is let go. A slice holds until more is read. */
  async reach(start: number, end: number): Promise<Buffer> {
    this.#letGo(Math.min(start - this.#start, this.#read.size))
    while (this.#start + this.#read.size < end) {
      const { done, value } = await this.#source.next()
      if (done) throw new Error('The stored file is shorter than its rows: it was changed after the import')
      this.#read.append(value)
    }
    return this.slice(start, end) as Buffer
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  #letGo(size: number): void {
    this.#read.letGo(size)
    this.#start += size
  }
}
