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
    return rm(path, { force: true })
  }
  for (const free of namesFor(request)) {
    const name = await takeName(path, free)
    if (!name) continue
    try {
      if (await isMade(writeNote(free, request))) return await name.finish()
    } catch (error) {
      const isFree = await name.giveUp().catch(() => false)
      if (isFree) await rm(noteOf(free), { force: true }).catch(() => {})
      throw error
    }
    await name.giveUp()
  }
  throw new Error(`No free name for ${request.name} in ${request.folder}`)
}

/** A name that was free and now is the file's. */
type TakenName = {
  /** Releases the name if the file still has its first one; returns whether it did. */
  giveUp(): Promise<boolean>
  finish(): Promise<void>
}

/**
 * As a second name, or reserved where there can be none: on another disk, on one without hard links, or for a file of
 * another user that is read-only for us. Null if the name is taken.
 */
const takeName = (path: string, free: string): Promise<TakenName | null> =>
  link(path, free).then(
    () => secondName(path, free),
    async (error: NodeJS.ErrnoException) => {
      // A network disk may have made the link and lost its answer.
      if (error.code === 'EEXIST') return (await isSameFile(path, free)) ? secondName(path, free) : null
      if (error.code === 'ENOENT') throw error
      return (await isMade(writeFile(free, '', { mode: 0o600, flag: 'wx' }))) ? reservedName(path, free) : null
    },
  )

/** A worker that takes the file over finds the second name and removes the first, so the first may be missing. */
const secondName = (path: string, free: string): TakenName => ({
  async giveUp() {
    const isStillThere = await isSameFile(path, free)
    if (isStillThere) await rm(free, { force: true })
    return isStillThere
  },
  finish: () => rm(path, { force: true }),
})

/** An empty file reserves the name. A process that is killed before the move leaves it behind. */
const reservedName = (path: string, free: string): TakenName => ({
  giveUp: () => rm(free, { force: true }).then(() => true),
  finish: () => moveFile(path, free),
})

/** False if the name was taken. */
const isMade = (making: Promise<void>): Promise<boolean> =>
  making.then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
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
