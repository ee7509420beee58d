import type { Stats } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kind, kinds } from '../../domain/kind.ts'
import type { Account } from '../../domain/lookup.ts'

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
