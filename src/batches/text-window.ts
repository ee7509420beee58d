/** A window that moves forward over a stream of bytes, so that slices of a file are read in flat memory. */
export class TextWindow {
  readonly #source: AsyncIterator<Uint8Array>
  #bytes: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The slice where it is already in the window; undefined where more must be read first, see `reach`. */
  slice(start: number, end: number): Buffer | undefined {
    if (end > this.#start + this.#bytes.length) return undefined
    return this.#bytes.subarray(start - this.#start, end - this.#start)
  }

  /** Reads on until the window holds the slice; what lies before it is let go. */
  async reach(start: number, end: number): Promise<Buffer> {
    const kept = [this.#bytes.subarray(Math.min(start - this.#start, this.#bytes.length))]
    let reached = this.#start + this.#bytes.length
    this.#start = Math.min(start, reached)
    while (reached < end) {
      const { done, value } = await this.#source.next()
      if (done) throw new Error('The stored file is shorter than its rows: it was changed after the import')
      kept.push(Buffer.from(value.buffer, value.byteOffset, value.length))
      reached += value.length
    }
    this.#bytes = Buffer.concat(kept)
    return this.slice(start, end) as Buffer
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}
