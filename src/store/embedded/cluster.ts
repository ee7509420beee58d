import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedFailure, type ServerPlace, serverEnvironment } from './place.ts'
import type { Programs } from './programs.ts'

export const SUPERUSER = 'vigia'

/** Creates an empty data folder if there is none, and a password for it. */
export const openCluster = async (programs: Programs, place: ServerPlace): Promise<void> => {
  if (await exists(place.data)) await readPassword(place)
  else await createCluster(programs, place, await createPassword(place))
}

export const readPassword = async ({ password, data }: ServerPlace): Promise<string> => {
  try {
    return (await readFile(password, 'utf8')).trim()
  } catch (cause) {
    const cure = `Put the file back, or move ${data} away to start with an empty database.`
    throw new EmbeddedFailure(`The password of the database in ${data} cannot be read from ${password}. ${cure}`, {
      cause,
    })
  }
}

/** Works beside the final place and moves there at the end: a crash in between leaves no incomplete data folder. */
const createCluster = async (
  { initdb }: Programs,
  { serverFolder, data, user }: ServerPlace,
  password: string,
): Promise<void> => {
  const draft = join(serverFolder, 'data.new')
  const passwordFile = join(serverFolder, 'password.new')
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  try {
    await rm(passwordFile, { force: true })
    await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' })
    if (user.uid !== undefined && user.gid !== undefined) {
      await chown(draft, user.uid, user.gid)
      await chown(passwordFile, user.uid, user.gid)
    }
    const folders = [`--pgdata=${draft}`, `--pwfile=${passwordFile}`]
    await promisify(execFile)(initdb, [...folders, ...choices], { ...user, cwd: '/', env: serverEnvironment() })
    await rename(draft, data)
  } catch (cause) {
    throw new EmbeddedFailure(`initdb could not make a database in ${draft}: ${(cause as Error).message}`, { cause })
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** The builtin locale sorts and folds alike on every machine, whatever its system locales are. */
const choices = [
  `--username=${SUPERUSER}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

const createPassword = async ({ password }: ServerPlace): Promise<string> => {
  const secret = randomBytes(24).toString('base64url')
  await rm(password, { force: true })
  await writeFile(password, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  return secret
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
