import { randomUUID } from 'node:crypto'
import { mkdir, rename, rmdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { identify } from '../../home/process-identity.ts'
import type { DroppedFile } from './find-files.ts'
import type { Place } from './places.ts'

/** A file that is ours alone: it lies in a folder of its own, whose name says whose it is and where it came from. */
export type Claim = { folder: string; path: string; name: string; place: Place }

/** Takes a file by moving it, which only one worker can do; null where another was quicker. */
export const claimFile = async (processing: string, { path, name, place }: DroppedFile): Promise<Claim | null> => {
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

export type ClaimOwner = { folder: string; host: string; owner: string }

export const claimName = ({ folder }: Place): string => {
  const owner = identify(process.pid) ?? String(process.pid)
  const fields = [folder.replace('/', '+'), hostname(), owner.replaceAll(' ', '_'), randomUUID().slice(0, 8)]
  return fields.join('~')
}

export const readClaimName = (name: string): ClaimOwner | null => {
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
