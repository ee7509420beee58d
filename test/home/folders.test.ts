import { stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { openHome } from '../../src/home/folders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a home has its folders, and only its owner reads them', async () => {
  const path = join(await temporaryFolder(), 'new home')
  const home = await openHome(path)
  const { path: own, ...folders } = home
  expect(own).toBe(path)
  expect(Object.entries(folders).map(([name, folder]) => [name, basename(folder)])).toEqual(
    ['inbox', 'processing', 'archive', 'outbox', 'postgres'].map((name) => [name, name]),
  )
  for (const folder of Object.values(folders)) expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('opening a home again changes nothing in it', async () => {
  const path = await temporaryFolder()
  const { inbox } = await openHome(path)
  await writeFile(join(inbox, 'a.csv'), 'documento\n')
  await openHome(path)
  expect((await stat(join(inbox, 'a.csv'))).size).toBe(10)
})

test('a home in a missing folder is created with all folders above it', async () => {
  const path = join(await temporaryFolder(), 'a', 'b', 'home')
  expect((await openHome(path)).path).toBe(path)
  expect((await stat(path)).mode & 0o777).toBe(0o755)
})

test('many processes may open a new home at once', async () => {
  const path = join(await temporaryFolder(), 'a', 'home')
  await Promise.all(Array.from({ length: 8 }, () => openHome(path)))
  expect((await stat(join(path, 'inbox'))).isDirectory()).toBe(true)
})
