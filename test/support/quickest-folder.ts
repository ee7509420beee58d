import { statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'

/**
 * In memory if there is plenty: each test creates and drops a database of some hundred files, and most of that time is
 * spent in the disk's file system.
 */
export const quickestFolder = async (): Promise<string> => {
  const memory = '/dev/shm'
  const there = await statfs(memory).catch(() => undefined)
  const isRoomy = there !== undefined && Math.min(there.bavail * there.bsize, freemem()) > 4 * 1024 ** 3
  return isRoomy ? memory : tmpdir()
}
