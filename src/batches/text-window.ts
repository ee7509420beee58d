/**
 * A window that moves forward over a stream of bytes, so that slices of a file are read in flat memory.
 *
 * Its room is used again and again: what it handed out holds until more is read.
 */
export class TextWindow {
  readonly #source: AsyncIterator<Uint8Array>
  #room = Buffer.alloc(0)
  #size = 0
  #start = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The slice where it is already in the window; undefined where more must be read first, see `reach`. */
  slice(start: number, end: number): Buffer | undefined {
    if (end > this.#start + this.#size) return undefined
    return this.#room.subarray(start - this.#start, end - this.#start)
  }

  /** Reads on until the window holds the slice; what lies before it is let go. */
  async reach(start: number, end: number): Promise<Buffer> {
    this.#letGo(Math.min(start - this.#start, this.#size))
    while (this.#start + this.#size < end) {
      const { done, value } = await this.#source.next()
      if (done) throw new Error('The stored file is shorter than its rows: it was changed after the import')
      this.#append(value)
    }
    return this.slice(start, end) as Buffer
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  #letGo(size: number): void {
    this.#room.copyWithin(0, size, this.#size)
    this.#size -= size
    this.#start += size
  }

  #append(bytes: Uint8Array): void {
    if (this.#size + bytes.length > this.#room.length) {
      const larger = Buffer.allocUnsafeSlow((this.#size + bytes.length) * 2)
      this.#room.copy(larger, 0, 0, this.#size)
      this.#room = larger
    }
    this.#room.set(bytes, this.#size)
    this.#size += bytes.length
  }
}
