import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { DroppedFile } from './claim-file.ts'

/** Separates files that no longer change from those that are still being written, by comparing with earlier scans. */
export class Stillness {
  readonly #settleMs: number
  #seen = new Map<string, { look: string; since: number }>()

  constructor(settleMs: number) {
    this.#settleMs = settleMs
  }

  /** The date of a file proves nothing (a copy may keep the original's), so only observed scans count. */
  sort(files: DroppedFile[], now: Date): { still: DroppedFile[]; restless: DroppedFile[] } {
    const at = now.getTime()
    const before = this.#seen
    this.#seen = new Map(
      files.map((file) => {
        const look = `${file.ino} ${file.size} ${file.mtimeMs}`
        const known = before.get(file.path)
        return [file.path, known?.look === look ? known : { look, since: at }]
      }),
    )
    const isStill = ({ path }: DroppedFile) => at - this.#seen.get(path)!.since >= this.#settleMs
    return { still: files.filter(isStill), restless: files.filter((file) => !isStill(file)) }
  }

  /** Delays a file that could not be taken. If it changes meanwhile, it is treated as new. */
  postpone({ path }: DroppedFile, now: Date): void {
    const seen = this.#seen.get(path)
    if (seen) seen.since = now.getTime() + postponedMs
  }
}

const postponedMs = 30_000

/**
 * The bytes of a file that nobody writes to: read once for its fingerprint, then once to yield them.
 *
 * A process that had the file open before it was claimed can still write to it. If size, time or content differ at the
 * end, this throws, and the caller must discard the bytes.
 */
export async function* readStill(path: string): AsyncGenerator<Uint8Array> {
  const known = yield* fingerprint(path, false)
  const given = yield* fingerprint(path, true)
  if (known !== given) throw new FileUnsettled(path)
}

async function* fingerprint(path: string, give: boolean): AsyncGenerator<Uint8Array, string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const before = await file.stat()
    if (!before.isFile()) throw new FileUnsettled(path)
    const hash = createHash('sha256')
    for await (const bytes of file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
      hash.update(bytes as Buffer)
      if (give) yield bytes as Buffer
    }
    const after = await file.stat()
    if (before.size !== after.size || before.mtimeMs !== after.mtimeMs) throw new FileUnsettled(path)
    return `${after.size} ${after.mtimeMs} ${hash.digest('hex')}`
  } finally {
    await file.close()
  }
}

/** A file changed while it was read: it returns to the inbox until it no longer changes. */
export class FileUnsettled extends Error {
  override readonly name = 'FileUnsettled'

  constructor(path: string) {
    super(`${basename(path)} changed while it was read`)
  }
}
