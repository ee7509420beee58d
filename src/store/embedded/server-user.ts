import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EmbeddedFailure } from './embedded-failure.ts'

/** Whom the server runs as. Empty: as ourselves. */
export type ServerUser = { uid?: number; gid?: number }

/**
 * PostgreSQL refuses to run as root; for root another user of this machine has to do it.
 *
 * Only users that exist already are taken: creating one would change the machine for the sake of a trial run, and fails
 * where /etc is read-only. `postgres` comes first because nothing else runs as it; `nobody` is on every machine.
 * A data folder that exists keeps its owner, whichever users come and go later.
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

/** Whether that user can reach a folder: every folder on the way must let it pass. */
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

/** What PostgreSQL's programs see of our environment: nothing, because our settings hold tokens. Messages in English. */
export const serverEnvironment = (more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...more,
})
