import { randomUUID } from 'node:crypto'
import { copyFile, link, lstat, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'

type ArchiveRequest = {
  folder: string
  name: string
  now: Date
  /** Why the file was refused, for a note beside it. */
  reason?: string | undefined
}

/**
 * Moves a file to a folder, under a free name and with a note of the reason beside it if there is one.
 *
 * A plain move would silently replace a file of the same name. So the file gets a second name, which fails if the name
 * is taken, and then loses its first. After an interruption it has both, and the next call finishes the move.
 */
export const archiveFile = async (path: string, request: ArchiveRequest): Promise<void> => {
  const second = await findSecondName(path, request)
  if (second) {
    await endNote(second, request)
    await rm(path, { force: true })
    return
  }
  try {
    await archiveBy(giveSecondName(path), request)
  } catch (error) {
    if (!(error instanceof NoSecondName)) throw error
    await archiveBy(reserveName(path), request)
  }
}

/** A way to move a file to a name that must be free. */
type Way = {
  take(free: string): Promise<void>
  /** Releases the name if the file still has its first one; returns whether it did. */
  giveUp(free: string): Promise<boolean>
  finish(free: string): Promise<void>
}

const archiveBy = async (way: Way, request: ArchiveRequest): Promise<void> => {
  for (const free of namesFor(request)) {
    if (await isTaken(way.take(free))) continue
    try {
      if (!(await isTaken(writeNote(free, request)))) return await way.finish(free)
    } catch (error) {
      const isFree = await way.giveUp(free).catch(() => false)
      if (isFree) await rm(noteOf(free), { force: true }).catch(() => {})
      throw error
    }
    await way.giveUp(free)
  }
  throw new Error(`No free name for ${request.name} in ${request.folder}`)
}

const isTaken = (making: Promise<void>): Promise<boolean> =>
  making.then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return true
      throw error
    },
  )

const writeNote = async (target: string, { reason }: ArchiveRequest): Promise<void> => {
  if (reason !== undefined) await writeFile(noteOf(target), reason, { mode: 0o600, flag: 'wx' })
}

/** Completes the note of a move that was cut short. A note that is no beginning of it belongs to another file. */
const endNote = async (target: string, { reason }: ArchiveRequest): Promise<void> => {
  if (reason === undefined) return
  const begun = await readFile(noteOf(target), 'utf8').catch(() => '')
  if (reason.startsWith(begun)) await writeFile(noteOf(target), reason, { mode: 0o600 })
}

const noteOf = (target: string): string => `${target}.txt`

/** A worker that takes the file over finds the second name and removes the first, so the first may be missing. */
const giveSecondName = (path: string): Way => ({
  take: (free) =>
    link(path, free).catch(async (error: NodeJS.ErrnoException) => {
      // A network disk may have made the link and lost its answer.
      if (error.code === 'EEXIST' && (await isSameFile(path, free))) return
      throw error.code === 'EEXIST' || error.code === 'ENOENT' ? error : new NoSecondName()
    }),
  giveUp: async (free) => {
    const isStillThere = await isSameFile(path, free)
    if (isStillThere) await rm(free, { force: true })
    return isStillThere
  },
  finish: () => rm(path, { force: true }),
})

/** Another disk, a disk without hard links, or a file of another user that is read-only for us. */
class NoSecondName extends Error {}

/** An empty file reserves the name. A process that is killed before the move leaves it behind. */
const reserveName = (path: string): Way => ({
  take: async (free) => {
    const file = await open(free, 'wx', 0o600)
    await file.close()
  },
  giveUp: async (free) => {
    await rm(free, { force: true })
    return true
  },
  finish: (free) => moveFile(path, free),
})

/** The name in the folder that an interrupted move has already given to this file. */
const findSecondName = async (path: string, request: ArchiveRequest): Promise<string | null> => {
  const { nlink } = await lstat(path)
  if (nlink === 1) return null
  for (const other of (await readdir(request.folder)).filter((other) => isNameFor(other, request))) {
    if (await isSameFile(path, join(request.folder, other))) return join(request.folder, other)
  }
  return null
}

/** Inode numbers may be too large for a plain number. */
const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([one, other].map((path) => lstat(path, { bigint: true }).catch(() => null)))
  return a != null && b != null && a.ino === b.ino && a.dev === b.dev
}

/** Its own name, then with the time, then with a random text. */
const namesFor = (request: ArchiveRequest): string[] => {
  const moment = request.now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  const added = ['', `.${moment}`, `.${moment}.${randomUUID().slice(0, 8)}`]
  return added.map((text) => join(request.folder, withAdded(request, text)))
}

const isNameFor = (other: string, request: ArchiveRequest): boolean => {
  const { suffix } = parts(request.name)
  const stem = other.slice(0, other.length - suffix.length)
  const added = /\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(\.[0-9a-f]{8})?$/.exec(stem)?.[0] ?? ''
  return other === withAdded(request, '') || other === withAdded(request, added)
}

/** The added text stands before the extension. A name too long for a disk, or for that of its note, is shortened. */
const withAdded = ({ name, reason }: ArchiveRequest, added: string): string => {
  const { stem, suffix } = parts(name)
  const spare = longestName - Buffer.byteLength(suffix) - added.length - (reason === undefined ? 0 : noteOf('').length)
  return `${cut(stem, spare)}${added}${suffix}`
}

/** In bytes. */
const longestName = 255

/** A suffix longer than any real extension is part of the name. */
const parts = (name: string): { stem: string; suffix: string } => {
  const suffix = extname(name).length <= 20 ? extname(name) : ''
  return { stem: name.slice(0, name.length - suffix.length), suffix }
}

/** The beginning of a text, up to a number of bytes. */
const cut = (text: string, bytes: number): string => {
  let kept = ''
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break
    kept += character
  }
  return kept
}

/** A file cannot be renamed to another disk: it is copied, and deleted here once the copy is synced. */
const moveFile = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, to)
    for (const written of [to, dirname(to)]) await sync(written)
    await rm(from)
  }
}

const sync = async (path: string): Promise<void> => {
  await using written = await open(path)
  await written.sync()
}
