import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Writable } from 'node:stream'

export type WrittenFile = { sha256: string; bytes: number }

export type AtomicFile = Awaited<ReturnType<typeof beginAtomicFile>>

/**
 * A file that appears complete or not at all: it is written beside its place, synced, and renamed when it is published.
 * If it was not published when it is disposed of, nothing of it is left.
 */
export const beginAtomicFile = async (path: string) => {
  await sweepParts(path)
  const part = `${path}.${randomUUID().slice(0, 8)}.part`
  const file = await open(part, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0
  const write = async (bytes: Uint8Array): Promise<void> => {
    hash.update(bytes)
    size += bytes.length
    await file.writeFile(bytes)
  }
  return {
    write,

    /** For code that writes to a stream. Ending the stream does not publish the file. */
    asSink: () =>
      new Writable({ write: (bytes: Uint8Array, _encoding, done) => void write(bytes).then(() => done(), done) }),

    async publish(): Promise<WrittenFile> {
      await file.sync()
      await file.close()
      await rename(part, path)
      await syncFolder(dirname(path))
      return { sha256: hash.digest('hex'), bytes: size }
    },

    async [Symbol.asyncDispose](): Promise<void> {
      await file.close().catch(() => {})
      await rm(part, { force: true })
    },
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
  await using file = await beginAtomicFile(path)
  await write(file)
  await file.publish()
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
