import { access, constants, statfs } from 'node:fs/promises'
import { openHome } from '../../home/folders.ts'
import { type Finding, fine, messageOf, wrong } from './finding.ts'

const MIB = 1024 * 1024
/** Below this PostgreSQL and the reports run into a full disk within a large batch. */
const LEAST_FREE = 1024 * MIB

export async function checkHome(path: string): Promise<Finding[]> {
  return [await checkFolders(path), await checkDisk(path)]
}

async function checkFolders(path: string): Promise<Finding> {
  try {
    const { path: home, ...folders } = await openHome(path)
    await Promise.all(Object.values(folders).map((folder) => access(folder, constants.R_OK | constants.W_OK)))
    return fine('folders', `${home} can be read and written`)
  } catch (error) {
    return wrong('folders', messageOf(error), 'Give this user the folder, or set VIGIA_HOME to one it may write.')
  }
}

async function checkDisk(path: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(path)
    const free = bavail * bsize
    const says = `${Math.floor(free / MIB).toLocaleString('en')} MiB free`
    if (free >= LEAST_FREE) return fine('disk', says)
    return wrong('disk', says, 'Make room (1 GiB at least), or set VIGIA_HOME to a larger disk.')
  } catch (error) {
    return wrong('disk', messageOf(error), 'Set VIGIA_HOME to a folder on a local disk.')
  }
}
