import { chmod, lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedFailure } from './embedded-failure.ts'

/**
 * A folder of root's that every user can pass and only root can write: for what the server must reach when the checkout
 * or the home lies where its user cannot go, as under /root.
 *
 * /var/lib outlives reboots; /var/tmp, which some systems clear of old files, serves where /var/lib cannot be written.
 */
export async function openRefuge(bases = ['/var/lib', '/var/tmp']): Promise<string> {
  for (const base of bases) {
    const folder = join(base, 'vigia')
    await makePassable(folder).catch(() => {})
    if (await isOurs(folder)) return folder
  }
  throw new EmbeddedFailure(`There is no folder for PostgreSQL outside of root's own: tried ${bases.join(' and ')}.`)
}

/** A folder others may pass but not list, whatever our umask says. */
export async function makePassable(folder: string): Promise<void> {
  await mkdir(folder)
  await chmod(folder, 0o711)
}

/** Nobody else may have made it, or be able to change what lies in it. */
export async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (!found?.isDirectory()) return false
  return found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
