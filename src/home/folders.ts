import { mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** The folders for incoming files, files being processed, archived files and reports. */
export type Home = {
  path: string
  inbox: string
  processing: string
  archive: string
  outbox: string
  postgres: string
}

/** Creates the missing folders of a home. Their files are about people, so only the owner may read them. */
export const openHome = async (path: string): Promise<Home> => {
  const home = resolve(path)
  const within = (name: string) => join(home, name)
  const folders = {
    inbox: within('inbox'),
    processing: within('processing'),
    archive: within('archive'),
    outbox: within('outbox'),
    postgres: within('postgres'),
  }
  await makeAll(home, Object.values(folders)).catch((cause) => {
    throw new HomeProblem(home, cause)
  })
  return { path: home, ...folders }
}

/** Other users may enter the home itself: the embedded server may run as another user (see src/store/embedded). */
const makeAll = async (home: string, folders: string[]): Promise<void> => {
  await makeFolder(home, 0o755)
  await Promise.all(folders.map((folder) => makeFolder(folder, 0o700)))
}

/** The home cannot be where `VIGIA_HOME` says; the operator has to fix it, like any wrong setting. */
class HomeProblem extends Error {
  override readonly name = 'HomeProblem'
  readonly exitCode = 2

  constructor(home: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(`VIGIA_HOME cannot be ${home}: ${why}. Set it to a folder that this user may write.`, { cause })
  }
}

/**
 * Creates a folder, and the missing folders above it.
 *
 * It goes step by step, because Node's recursive option loops for ever where the parent exists and reports that it does
 * not: below /proc, and on other file systems that take no folders.
 */
export const makeFolder = async (path: string, mode: number): Promise<void> => {
  try {
    await makeOne(path, mode)
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    await makeFolder(parent, mode)
    await makeOne(path, mode)
  }
}

const makeOne = async (path: string, mode: number): Promise<void> => {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!(await stat(path)).isDirectory()) throw new Error(`${path} is a file, not a folder`)
  }
}
