import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rmdir, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { identifyProcess } from '../../home/process-identity.ts'
import type { DroppedFile, InboxPlace } from './find-files.ts'

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
