import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

export type WrittenFile = { sha256: string; bytes: number }

/** A file that appears whole or not at all: written beside its place, synced, and moved there at the end. */
export class WholeFile {
  readonly #path: string
  readonly #part: string
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  #bytes = 0

  private constructor(path: string, part: string, file: FileHandle) {
    this.#path = path
    this.#part = part
    this.#file = file
  }

  static async begin(path: string): Promise<WholeFile> {
    const part = `${path}.${randomUUID().slice(0, 8)}.part`
    return new WholeFile(path, part, await open(part, 'wx', 0o600))
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes)
    this.#bytes += bytes.length
    await this.#file.writeFile(bytes)
  }

  async publish(): Promise<WrittenFile> {
    await this.#file.sync()
    await this.#file.close()
    await rename(this.#part, this.#path)
    await syncFolder(dirname(this.#path))
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes }
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => {})
    await rm(this.#part, { force: true })
  }
}

/** The new name survives a power cut only once its folder is on disk too. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
