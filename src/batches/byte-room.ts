/**
 * Bytes that come in at the end and are let go at the start, in one room that is used again and again.
 *
 * A new buffer for each round is garbage that a million rows make faster than it is collected. What was handed out
 * holds until the next change.
 */
export class ByteRoom {
  #room = Buffer.alloc(0)
  #size = 0

  get size(): number {
    return this.#size
  }

  slice(from = 0, to = this.#size): Buffer {
    return this.#room.subarray(from, to)
  }

  append(bytes: Uint8Array): void {
    const size = this.#size + bytes.length
    if (size > this.#room.length) this.#growTo(size * 2)
    this.#room.set(bytes, this.#size)
    this.#size = size
  }

  letGo(size: number): void {
    this.#room.copyWithin(0, size, this.#size)
    this.#size -= size
  }

  #growTo(size: number): void {
    const larger = Buffer.allocUnsafeSlow(size)
    this.#room.copy(larger, 0, 0, this.#size)
    this.#room = larger
  }
}
