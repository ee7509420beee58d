import { randomUUID } from 'node:crypto'
import { copyFile, link, lstat, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'

type PuttingAway = {
  folder: string
  name: string
  now: Date
  /** Why the file was refused, for a note beside it. */
  reason?: string | undefined
}

/**
 * Moves a file to a folder, under a free name and with a note of the reason beside it if there is one.
 *
 * A move by itself would silently replace what has that name. So the file gets a second name, which is refused where
 * the name is taken, and loses its first. One that was cut short in between has both, and is moved by whoever goes on.
 */
export const putAway = async (path: string, putting: PuttingAway): Promise<void> => {
  const second = await findSecondName(path, putting)
  if (second) {
    await endNote(second, putting)
    await rm(path, { force: true })
    return
  }
  try {
    await putBy(giveSecondName(path), putting)
  } catch (error) {
    if (!(error instanceof NoSecondName)) throw error
    await putBy(reserveName(path), putting)
  }
}

/** A way to move a file to a name that must not be taken. */
type Way = {
  take(free: string): Promise<void>
  /** Gives the name up again, if the file still has its first; says whether it did. */
  giveUp(free: string): Promise<boolean>
  finish(free: string): Promise<void>
}

const putBy = async (way: Way, putting: PuttingAway): Promise<void> => {
  for (const free of namesFor(putting)) {
    if (await isTaken(way.take(free))) continue
    try {
      if (!(await isTaken(writeNote(free, putting)))) return await way.finish(free)
    } catch (error) {
      const isFree = await way.giveUp(free).catch(() => false)
      if (isFree) await rm(noteOf(free), { force: true }).catch(() => {})
      throw error
    }
    await way.giveUp(free)
  }
  throw new Error(`No free name for ${putting.name} in ${putting.folder}`)
}

const isTaken = (making: Promise<void>): Promise<boolean> =>
  making.then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return true
      throw error
    },
  )

const writeNote = async (target: string, { reason }: PuttingAway): Promise<void> => {
  if (reason !== undefined) await writeFile(noteOf(target), reason, { mode: 0o600, flag: 'wx' })
}

/** Writes the note of a move that was cut short; what is no beginning of it is somebody else's file. */
const endNote = async (target: string, { reason }: PuttingAway): Promise<void> => {
  if (reason === undefined) return
  const begun = await readFile(noteOf(target), 'utf8').catch(() => '')
  if (reason.startsWith(begun)) await writeFile(noteOf(target), reason, { mode: 0o600 })
}

const noteOf = (target: string): string => `${target}.txt`

/** Whoever takes the file over meanwhile finds its second name, and takes the first away: so that may be gone. */
const giveSecondName = (path: string): Way => ({
  take: (free) =>
    link(path, free).catch(async (error: NodeJS.ErrnoException) => {
      // A network disk may have done it and lost its answer.
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

/** Another disk, one that knows no second names, or a file of a user who lets us read it only. */
class NoSecondName extends Error {}

/** An empty file holds the name. Whoever is killed before the move leaves it behind. */
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

/** The name that a move which was cut short has given this very file in the folder. */
const findSecondName = async (path: string, putting: PuttingAway): Promise<string | null> => {
  const { nlink } = await lstat(path)
  if (nlink === 1) return null
  for (const other of (await readdir(putting.folder)).filter((other) => isNameFor(other, putting))) {
    if (await isSameFile(path, join(putting.folder, other))) return join(putting.folder, other)
  }
  return null
}

/** Numbers of files may be longer than a plain number holds. */
const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([one, other].map((path) => lstat(path, { bigint: true }).catch(() => null)))
  return a != null && b != null && a.ino === b.ino && a.dev === b.dev
}

/** Its own, then with the time added, then with something that no other has. */
const namesFor = (putting: PuttingAway): string[] => {
  const moment = putting.now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  const added = ['', `.${moment}`, `.${moment}.${randomUUID().slice(0, 8)}`]
  return added.map((text) => join(putting.folder, withAdded(putting, text)))
}

const isNameFor = (other: string, putting: PuttingAway): boolean => {
  const { suffix } = parts(putting.name)
  const stem = other.slice(0, other.length - suffix.length)
  const added = /\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(\.[0-9a-f]{8})?$/.exec(stem)?.[0] ?? ''
  return other === withAdded(putting, '') || other === withAdded(putting, added)
}

/** What is added stands before the ending; a name that would become too long for a disk, or for its note, loses its own end. */
const withAdded = ({ name, reason }: PuttingAway, added: string): string => {
  const { stem, suffix } = parts(name)
  const spare = longestName - Buffer.byteLength(suffix) - added.length - (reason === undefined ? 0 : noteOf('').length)
  return `${cut(stem, spare)}${added}${suffix}`
}

/** In bytes. */
const longestName = 255

/** What is longer than any ending that programs go by is part of the name. */
const parts = (name: string): { stem: string; suffix: string } => {
  const suffix = extname(name).length <= 20 ? extname(name) : ''
  return { stem: name.slice(0, name.length - suffix.length), suffix }
}

/** The beginning of a text that takes at most so many bytes. */
const cut = (text: string, bytes: number): string => {
  let kept = ''
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break
    kept += character
  }
  return kept
}

/** Another disk takes no move: there the file is copied, and goes from here once the copy is safe. */
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
