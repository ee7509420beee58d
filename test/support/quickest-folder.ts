import { statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'

/**
 * In memory where there is plenty: each test makes and drops a database of some hundred files, and a disk's file system
 * takes most of the time that this needs.
 */
export const quickestFolder = async (): Promise<string> => {
  const memory = '/dev/shm'
  const there = await statfs(memory).catch(() => undefined)
  const isRoomy = there !== undefined && Math.min(there.bavail * there.bsize, freemem()) > 4 * 1024 ** 3
  return isRoomy ? memory : tmpdir()
}
