/** Reads slices of a stream of bytes, each further on than the one before, in flat memory. */
export const sliceText = (bytes: AsyncIterable<Uint8Array>) => {
  const source = bytes[Symbol.asyncIterator]()
  const read = new ByteWindow()
  /** The position of the first buffered byte in the text. */
  let first = 0
  /** The slice if it is already buffered; undefined if more must be read first, see `reach`. */
  const slice = (start: number, end: number): Buffer | undefined =>
    end > first + read.size ? undefined : read.slice(start - first, end - first)
  return {
    slice,

    /** Reads on until the slice is buffered, and drops what lies before it. A slice is valid until the next read. */
    async reach(start: number, end: number): Promise<Buffer> {
      const dropped = Math.min(start - first, read.size)
      read.letGo(dropped)
      first += dropped
      while (first + read.size < end) {
        const { done, value } = await source.next()
        if (done) throw new Error('The stored file is shorter than its rows: it was changed after the import')
        // While the slice is still ahead, nothing is buffered.
        const skipped = Math.min(start - first, value.length)
        first += skipped
        read.append(value.subarray(skipped))
      }
      return slice(start, end) as Buffer
    },

    close: async (): Promise<void> => void (await source.return?.()),
  }
}

/**
 * Bytes that are appended at the end and dropped at the start, in one buffer that is reused.
 *
 * New buffers would become garbage faster than it is collected over a million rows. A slice is valid until the next
 * change.
 */
export class ByteWindow {
  #buffer = Buffer.alloc(0)
  #size = 0

  get size(): number {
    return this.#size
  }

  slice(from = 0, to = this.#size): Buffer {
    return this.#buffer.subarray(from, to)
  }

  append(bytes: Uint8Array): void {
    this.appendPart(bytes, 0, bytes.length)
  }

  /** Few bytes are copied one by one: a call costs more than they do. */
  appendPart(bytes: Uint8Array, from: number, end: number): void {
    const size = this.#size + end - from
    if (size > this.#buffer.length) this.#growTo(size * 2)
    const buffer = this.#buffer
    if (end - from > 40) buffer.set(bytes.subarray(from, end), this.#size)
    else for (let at = this.#size, each = from; each < end; each++) buffer[at++] = bytes[each] as number
    this.#size = size
  }

  appendByte(byte: number): void {
    if (this.#size === this.#buffer.length) this.#growTo(Math.max(64, this.#size * 2))
    this.#buffer[this.#size++] = byte
  }

  appendText(text: string): void {
    const most = this.#size + text.length * 3
    if (most > this.#buffer.length) this.#growTo(most * 2)
    this.#size += this.#buffer.write(text, this.#size)
  }

  letGo(size: number): void {
    this.#buffer.copyWithin(0, size, this.#size)
    this.#size -= size
  }

  #growTo(size: number): void {
    const larger = Buffer.allocUnsafeSlow(size)
    this.#buffer.copy(larger, 0, 0, this.#size)
    this.#buffer = larger
  }
}

/** Whether all of these bytes are in a set: a table that has a one for each of its bytes. */
export const isMadeOf = (set: Uint8Array, bytes: Uint8Array, from: number, end: number): boolean => {
  for (let at = from; at < end; at++) if (set[bytes[at] as number] === 0) return false
  return true
}
