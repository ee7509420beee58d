import { randomUUID } from 'node:crypto'
import { copyFile, link, lstat, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'

/**
 * Moves a file to a folder, under a free name and with the reason beside it if there is one; or leaves nothing there.
 *
 * A move by itself would silently replace what has that name. So the file gets a second name, which is refused where
 * the name is taken, and loses its first. One that was cut short in between has both, and is moved by whoever goes on.
 */
export const putAway = async (
  path: string,
  { folder, name, now, reason }: { folder: string; name: string; now: Date; reason?: string | undefined },
): Promise<void> => {
  const there = (await findSame(path, folder, name)) ?? (await giveSecondName(path, namesFor(folder, name, now)))
  const target = there ?? (await reserveName(namesFor(folder, name, now)))
  const note = reason === undefined ? [] : [`${target}.txt`]
  try {
    for (const beside of note) await writeFile(beside, reason!, { mode: 0o600 })
    // Whoever took the file over meanwhile finds it there, and has taken the first name away.
    await (there === null ? moveFile(path, target) : rm(path, { force: true }))
  } catch (error) {
    for (const made of [target, ...note]) await rm(made, { force: true }).catch(() => {})
    throw error
  }
}

/** The name that this very file has in a folder already. */
const findSame = async (path: string, folder: string, name: string): Promise<string | null> => {
  const { ino, dev, nlink } = await lstat(path)
  if (nlink === 1) return null
  const beginning = stemOf(name).slice(0, shortestStem)
  for (const other of (await readdir(folder)).filter((other) => other.startsWith(beginning))) {
    const stats = await lstat(join(folder, other)).catch(() => null)
    if (stats?.ino === ino && stats.dev === dev) return join(folder, other)
  }
  return null
}

/** Null where that cannot be: another disk, one that knows no second names, a file of a user who lets us read only. */
const giveSecondName = async (path: string, names: string[]): Promise<string | null> => {
  try {
    return await firstFree(names, (free) => link(path, free))
  } catch (error) {
    if (noSecondName.includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

const noSecondName = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/** An empty file holds the name. Whoever is killed before the move leaves it behind. */
const reserveName = (names: string[]): Promise<string> =>
  firstFree(names, async (free) => {
    const file = await open(free, 'wx', 0o600)
    await file.close()
  })

const firstFree = async (names: string[], take: (free: string) => Promise<void>): Promise<string> => {
  for (const free of names) {
    try {
      await take(free)
      return free
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  throw new Error(`No free name among ${names.join(', ')}`)
}

/** Its own, then with the time added, then with something that no other has. */
const namesFor = (folder: string, name: string, now: Date): string[] => {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  const added = ['', `.${stamp}`, `.${stamp}.${randomUUID().slice(0, 8)}`]
  return added.map((added) => join(folder, withAdded(name, added)))
}

/** What is added stands before the ending; a name that would become too long for a disk loses its own end. */
const withAdded = (name: string, added: string): string => {
  const ending = extname(name)
  const room = longestName - Buffer.byteLength(ending) - added.length
  return `${added ? [...stemOf(name)].slice(0, Math.floor(room / 4)).join('') : stemOf(name)}${added}${ending}`
}

const stemOf = (name: string): string => name.slice(0, name.length - extname(name).length)

/** In bytes; a character takes up to four. A little is left for `.txt`. */
const longestName = 250

/** What is left at least of a name that something was added to. */
const shortestStem = 40

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
