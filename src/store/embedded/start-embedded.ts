import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { joinHolders } from '../../home/holders.ts'
import { connect } from '../connect.ts'
import { launch, type Postmaster, stopPostmaster, whenSettled } from './launch.ts'
import { EmbeddedFailure, openServerPlace, type ServerPlace, serverEnvironment } from './place.ts'
import { findPrograms, type Programs } from './programs.ts'

export type Embedded = {
  url: string
  /** Where the data is; not always under the home (see `openServerPlace`). */
  data: string
  /** Releases the server; the last process to do so stops it. */
  release(): Promise<void>
}

/**
 * Gives this process a real PostgreSQL that lives in `home`/postgres.
 *
 * A server that already runs there is shared, whether another process uses it or its owner was killed.
 */
export const startEmbedded = async (options: Options & { home: string }): Promise<Embedded> => {
  const folder = join(options.home, 'postgres')
  let opened = { url: '', data: '' }
  const holding = await joinHolders(join(folder, 'holders'), async () => {
    opened = await open(folder, options)
  })
  let released: Promise<unknown> | undefined
  return {
    ...opened,
    async release() {
      released ??= holding.release(() => stopPostmaster(opened.data))
      await released
    },
  }
}

type Options = {
  settings?: Record<string, string>
  /** Called only if no server runs yet. */
  starting?: () => void
}

const open = async (folder: string, options: Options): Promise<{ url: string; data: string }> => {
  const place = await openServerPlace(folder)
  const { port } = (await whenSettled(place.data)) ?? (await startServer(place, options))
  const password = await readPassword(place)
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`
  await waitForAnswer(url, place.data)
  return { url, data: place.data }
}

const startServer = async (place: ServerPlace, { settings, starting }: Options): Promise<Postmaster> => {
  starting?.()
  const programs = await findPrograms(place)
  await openCluster(programs, place)
  return launch(programs, place, settings)
}

/** A server that is still recovering from a crash accepts a connection and drops it, so it is tried a few times. */
const waitForAnswer = async (url: string, data: string, tries = 20): Promise<void> => {
  const sql = connect(url, { max: 1, name: 'vigia probe' })
  try {
    await sql`select 1`
  } catch (cause) {
    if (tries > 1 && (cause as NodeJS.ErrnoException).code === 'ECONNRESET') {
      await pause(250)
      return waitForAnswer(url, data, tries - 1)
    }
    throw new EmbeddedFailure(`PostgreSQL runs on ${data} and refuses us: ${(cause as Error).message}`, { cause })
  } finally {
    await sql.end()
  }
}

const SUPERUSER = 'vigia'

/** Creates an empty data folder if there is none, and a password for it. */
const openCluster = async (programs: Programs, place: ServerPlace): Promise<void> => {
  if (await exists(place.data)) await readPassword(place)
  else await createCluster(programs, place, await createPassword(place))
}

const readPassword = async ({ password, data }: ServerPlace): Promise<string> => {
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
