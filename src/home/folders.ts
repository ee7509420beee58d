import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

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
  // The home itself stays passable: the embedded server may run as another user (see src/store/embedded).
  await mkdir(home, { recursive: true, mode: 0o755 })
  const folders = {
    inbox: within('inbox'),
    processing: within('processing'),
    archive: within('archive'),
    outbox: within('outbox'),
    postgres: within('postgres'),
  }
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })))
  return { path: home, ...folders }
}
