import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedFailure } from './embedded-failure.ts'
import { canEnter, chooseServerUser, type ServerUser } from './server-user.ts'

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
