import { join, resolve } from 'node:path'
import { HomeProblem } from './home-problem.ts'
import { makeFolder } from './make-folder.ts'

/** Where files come in, are worked on, are kept and go out. */
export type Home = {
  path: string
  inbox: string
  processing: string
  archive: string
  outbox: string
  postgres: string
}

/** Makes the folders of a home that are not there yet; what is in them concerns persons, so only the owner reads them. */
export async function openHome(path: string): Promise<Home> {
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

/** The home itself stays passable: the embedded server may run as another user (see src/store/embedded). */
async function makeAll(home: string, folders: string[]): Promise<void> {
  await makeFolder(home, 0o755)
  await Promise.all(folders.map((folder) => makeFolder(folder, 0o700)))
}
