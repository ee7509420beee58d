import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Writable } from 'node:stream'

export type WrittenFile = { sha256: string; bytes: number }

/** A file that appears complete or not at all: it is written beside its place, synced, and renamed at the end. */
export class AtomicFile {
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

  static async begin(path: string): Promise<AtomicFile> {
    await sweepParts(path)
    const part = `${path}.${randomUUID().slice(0, 8)}.part`
    return new AtomicFile(path, part, await open(part, 'wx', 0o600))
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes)
    this.#bytes += bytes.length
    await this.#file.writeFile(bytes)
  }

  /** For code that writes to a stream. Ending the stream does not publish the file. */
  asSink(): Writable {
    return new Writable({
      write: (bytes: Uint8Array, _encoding, done) => void this.write(bytes).then(() => done(), done),
    })
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

/** Writes a file in one go. If its source or its place fails, nothing of it is left. */
export const writeAtomically = (
  path: string,
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> =>
  publishFile(path, async (file) => {
    for await (const bytes of source) await file.write(bytes)
  })

export const publishFile = async (path: string, write: (file: AtomicFile) => Promise<unknown>): Promise<void> => {
  const file = await AtomicFile.begin(path)
  try {
    await write(file)
    await file.publish()
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** A killed writer leaves its part, which is deleted once it is old. A part that is still written has a recent date. */
const sweepParts = async (path: string): Promise<void> => {
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(`${basename(path)}.`))
  for (const part of names.filter((name) => name.endsWith('.part')).map((name) => join(dirname(path), name))) {
    const written = await stat(part).catch(() => null)
    if (written && Date.now() - written.mtimeMs > abandonedAfterMs) await rm(part, { force: true })
  }
}

const abandonedAfterMs = 10 * 60_000

/** The new name survives a power cut only once its folder is synced too. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
