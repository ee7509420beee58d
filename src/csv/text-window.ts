/**
 * The part of a long text that is still needed: grows at its end, is cut at its start, and knows where it stands.
 *
 * Room doubles, so that a record of megabytes is not copied once per chunk; bytes handed out are never written over.
 */
export class TextWindow {
  bytes: Buffer = Buffer.alloc(0)
  /** Where the first byte stands in the whole text. */
  start = 0
  #room: Buffer = this.bytes
  #end = 0

  append(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#room.length) {
      this.#room = Buffer.allocUnsafeSlow(Math.max(smallestRoom, 2 * (this.bytes.length + chunk.length)))
      this.#end = this.bytes.copy(this.#room)
      this.bytes = this.#room.subarray(0, this.#end)
    }
    this.#room.set(chunk, this.#end)
    this.#end += chunk.length
    this.bytes = this.#room.subarray(this.#end - chunk.length - this.bytes.length, this.#end)
  }

  cut(length: number): void {
    this.bytes = this.bytes.subarray(length)
    this.start += length
  }
}

const smallestRoom = 256 * 1024
