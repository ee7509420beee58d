import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EmbeddedFailure } from './embedded-failure.ts'

/** The user that the server runs as. Empty: our own. */
export type ServerUser = { uid?: number; gid?: number }

/**
 * PostgreSQL does not run as root, so for root another user of this machine has to run it.
 *
 * Only existing users are chosen: creating one would change the machine for a trial run, and fails if /etc is read-only.
 * `postgres` comes first because nothing else runs as it; `nobody` is on every machine. An existing data folder keeps its
 * owner, whichever users are added or removed later.
 */
export const chooseServerUser = async (data: string): Promise<ServerUser> => {
  if (process.getuid?.() !== 0) return {}
  const owner = await stat(data).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = await readUsers()
  const user = ['postgres', '_postgres', 'nobody'].map((name) => users.get(name)).find((found) => found !== undefined)
  if (user) return user
  throw new EmbeddedFailure('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.')
}

/** Whether that user can reach a folder: every folder on the way must be passable for it. */
export const canEnter = async (user: ServerUser, folder: string): Promise<boolean> => {
  if (user.uid === undefined) return true
  const { uid, mode, gid } = await stat(folder)
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  const parent = dirname(await realpath(folder))
  const passable = ((mode >> shift) & 1) === 1
  return passable && (parent === folder || canEnter(user, parent))
}

const readUsers = async (): Promise<Map<string, { uid: number; gid: number }>> => {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const users = lines.map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }] as const)
  return new Map(users.filter(([, { uid, gid }]) => uid > 0 && gid > 0))
}

/** PostgreSQL's programs get nothing of our environment, because our settings hold tokens. Messages in English. */
export const serverEnvironment = (more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...more,
})
