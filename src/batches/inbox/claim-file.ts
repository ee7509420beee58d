import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, mkdir, readdir, realpath, rename, rmdir, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Kind, kinds } from '../../domain/kind.ts'
import type { Account } from '../../domain/lookup.ts'
import { identifyProcess } from '../../home/process-identity.ts'

/** A dropped file, with its state when it was seen. */
export type DroppedFile = { path: string; name: string; place: InboxPlace; size: number; mtimeMs: number; ino: number }

/** The files that may be taken: ordinary files with ordinary names, in ordinary folders. */
export const findFiles = async (inbox: string, places: InboxPlace[]): Promise<DroppedFile[]> => {
  const root = await realpath(inbox)
  const found: DroppedFile[] = []
  for (const place of places) found.push(...(await filesIn(root, place)))
  return found
}

const filesIn = async (root: string, place: InboxPlace): Promise<DroppedFile[]> => {
  const folder = join(root, place.folder)
  if (!(await isOurFolder(folder))) return []
  const found: DroppedFile[] = []
  for (const name of (await readdir(folder)).filter(mayBeTaken)) {
    const stats = await statsOf(join(folder, name))
    if (!stats?.isFile()) continue
    const { size, mtimeMs, ino } = stats
    found.push({ path: join(folder, name), name, place, size, mtimeMs, ino })
  }
  return found
}

/** A link in place of the folder, or above it, would let a stranger move any file of this machine. */
const isOurFolder = async (folder: string): Promise<boolean> => {
  const stats = await statsOf(folder)
  return stats?.isDirectory() === true && (await realpath(folder)) === folder
}

/** By convention, these names belong to files that are still being written. */
const mayBeTaken = (name: string): boolean => !name.startsWith('.') && !/\.(part|tmp)$/i.test(name)

/** Of the entry itself, not of a link's target; undefined if another worker has just taken it. */
const statsOf = (path: string): Promise<Stats | undefined> =>
  lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })

/** A folder of the inbox, and the question for files that are dropped there. */
export type InboxPlace = {
  /** Relative to the inbox; empty for the inbox itself. */
  folder: string
  organizationId: number
  kind: Kind
  /** Created at the start, so that people see it, and watched. */
  shown: boolean
}

/** The inbox and its folders per kind belong to the first organization. The others have a folder by their number. */
export const placesIn = (accounts: readonly Account[]): InboxPlace[] => {
  const [first] = accounts
  if (!first) return []
  const own = placesOf('', first, true)
  return [...own, ...accounts.flatMap((account) => placesOf(`${account.organizationId}/`, account, false))]
}

const placesOf = (above: string, { organizationId }: Account, shown: boolean): InboxPlace[] => [
  { folder: above.slice(0, -1), organizationId, kind: 'analysis', shown },
  ...kinds.map((kind) => ({ folder: `${above}${kind}`, organizationId, kind, shown })),
]

/** A file that only this process uses: it is in a folder of its own, whose name contains the owner and the origin. */
export type ClaimedFile = { folder: string; path: string; name: string; place: InboxPlace }

/** Claims a file by moving it, which only one worker can do; null if another worker was first. */
export const claimFile = async (
  processing: string,
  { path, name, place }: DroppedFile,
): Promise<ClaimedFile | null> => {
  const folder = join(processing, claimName(place))
  await mkdir(folder, { mode: 0o700 })
  try {
    await rename(path, join(folder, name))
  } catch (error) {
    await rmdir(folder)
    return nullIfGone(error as NodeJS.ErrnoException)
  }
  return { folder, path: join(folder, name), name, place }
}

type ClaimOwner = { folder: string; host: string; owner: string }

const claimName = ({ folder }: InboxPlace): string => {
  const owner = identifyProcess(process.pid) ?? String(process.pid)
  const fields = [folder.replace('/', '+'), hostname(), owner.replaceAll(' ', '_'), randomUUID().slice(0, 8)]
  return fields.join('~')
}

const readClaimName = (name: string): ClaimOwner | null => {
  const [folder, host, owner, unique] = name.split('~')
  if (folder === undefined || !host || !owner || !unique) return null
  return { folder: folder.replace('+', '/'), host, owner: owner.replaceAll('_', ' ') }
}

const nullIfGone = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  if (error.code !== 'EXDEV') throw error
  throw new Error(
    'inbox/ and processing/ are on different disks: put both on one, so that a file is claimed by one move',
  )
}

/** Takes over the files that killed workers had claimed. Each is claimed by one move, so only one worker gets it. */
export async function* takeOverClaims(
  processing: string,
  places: InboxPlace[],
  clock: () => Date,
): AsyncGenerator<ClaimedFile> {
  for (const name of await readdir(processing)) {
    const claimed = readClaimName(name)
    const place = places.find(({ folder }) => folder === claimed?.folder)
    if (!claimed || !place || !(await isAbandoned(join(processing, name), claimed, clock()))) continue
    const folder = join(processing, claimName(place))
    if (!(await moved(join(processing, name), folder, clock()))) continue
    const [file] = await readdir(folder)
    if (file) yield { folder, path: join(folder, file), name: file, place }
    else await rmdir(folder)
  }
}

/** Of a worker on another machine, only the time of its claim is known. */
const isAbandoned = async (path: string, { host, owner }: ClaimOwner, now: Date): Promise<boolean> => {
  if (host === hostname()) return identifyProcess(Number.parseInt(owner, 10)) !== owner
  const claimed = await stat(path).catch(() => null)
  return claimed !== null && now.getTime() - claimed.mtimeMs > foreignTimeoutMs
}

const foreignTimeoutMs = 15 * 60_000

/** A move does not change the age of a folder, and a third machine could take it over again: so the age is reset. */
const moved = async (from: string, to: string, now: Date): Promise<boolean> => {
  await utimes(from, now, now).catch(() => {})
  return rename(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
