import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where an embedded server keeps its data, and which user it runs as. */
export type ServerPlace = {
  /** VIGIA_HOME/postgres, where an operator expects it. */
  folder: string
  /** The folder that holds the data folder; the same one, unless the server's user cannot reach it. */
  serverFolder: string
  data: string
  password: string
  port: string
  log: string
  user: ServerUser
}

export const openServerPlace = async (postgresFolder: string): Promise<ServerPlace> => {
  await mkdir(postgresFolder, { recursive: true, mode: 0o700 })
  const folder = await realpath(postgresFolder)
  const serverFolder = await findServerFolder(folder)
  const data = join(serverFolder, 'data')
  const within = (name: string) => join(folder, name)
  const user = await chooseServerUser(data)
  return {
    folder,
    serverFolder,
    data,
    password: within('password'),
    port: within('port'),
    log: within('postgres.log'),
    user,
  }
}

const POINTER = 'DATA-IS-ELSEWHERE.txt'

const findServerFolder = async (folder: string): Promise<string> => {
  const elsewhere = await readPointer(folder)
  if (elsewhere) return elsewhere
  const user = await chooseServerUser(join(folder, 'data'))
  if (user.uid === undefined) return folder
  await chmod(folder, 0o711)
  return (await canEnter(user, folder)) ? folder : moveOut(folder)
}

const moveOut = async (folder: string): Promise<string> => {
  const serverFolder = join(await openPassableFolder(), `home-${randomBytes(6).toString('hex')}`)
  await makePassable(serverFolder)
  await writeFile(join(serverFolder, 'BELONGS-TO.txt'), `${folder}\n`)
  await writeFile(join(folder, POINTER), `${serverFolder}\n${explanation}`)
  return serverFolder
}

const explanation = `
The line above is where the data of this home's PostgreSQL lies. PostgreSQL does not run as root, and the user it runs
as instead cannot enter this folder. Back up, move and delete both together.
`

const readPointer = async (folder: string): Promise<string | undefined> => {
  const pointer = join(folder, POINTER)
  const serverFolder = (await readFile(pointer, 'utf8').catch(() => '')).split('\n')[0]
  if (!serverFolder) return undefined
  const there = await stat(serverFolder).catch(() => undefined)
  if (there) return serverFolder
  throw new EmbeddedFailure(
    `${pointer} says the data lies in ${serverFolder}, which is not there. Bring it back, or delete ${pointer} to start with an empty database.`,
  )
}

/**
 * A folder of root's that every user can pass and only root can write, for what the server must reach if its user cannot
 * enter the checkout or the home, as under /root.
 *
 * /var/lib outlives reboots; /var/tmp, which some systems clear of old files, serves if /var/lib cannot be written.
 */
export const openPassableFolder = async (bases = ['/var/lib', '/var/tmp']): Promise<string> => {
  for (const base of bases) {
    const folder = join(base, 'vigia')
    await makePassable(folder).catch(() => {})
    if (await isOurs(folder)) return folder
  }
  throw new EmbeddedFailure(`There is no folder for PostgreSQL outside of root's own: tried ${bases.join(' and ')}.`)
}

/** A folder that others may pass but not list, whatever our umask is. */
const makePassable = async (folder: string): Promise<void> => {
  await mkdir(folder)
  await chmod(folder, 0o711)
}

/** Whether only we could have made it and only we can change what is in it. */
export const isOurs = async (folder: string): Promise<boolean> => {
  const found = await lstat(folder).catch(() => undefined)
  if (!found?.isDirectory()) return false
  return found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

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

/** The embedded PostgreSQL could not be used. The cure is the same for every cause, so the message ends with it. */
export class EmbeddedFailure extends Error {
  override readonly name = 'EmbeddedFailure'
  readonly exitCode = 1

  constructor(message: string, options?: ErrorOptions) {
    super(`${message}\nTo use a PostgreSQL server of your own instead, set DATABASE_URL.`, options)
  }
}
