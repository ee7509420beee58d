import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from './lock.ts'
import { identifyProcess } from './process-identity.ts'

type Hold = {
  /** Ends this hold. `closing` runs if nobody else holds the folder, before anybody can take hold of it again. */
  release(closing?: () => Promise<void>): Promise<'last' | 'others'>
}

/**
 * Joins the processes that share something, such as a server that they started together.
 *
 * `opening` runs before anybody else can join or release. A holder that died without a release does not count.
 */
export const joinHolders = async (folder: string, opening: () => Promise<void> = async () => {}): Promise<Hold> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const mine = join(folder, `holder.${randomUUID()}`)
  await withLock(folder, async () => {
    await opening()
    await writeFile(mine, identifyProcess(process.pid) ?? '', { mode: 0o644 })
  })
  return {
    release: (closing = async () => {}) =>
      withLock(folder, async () => {
        await rm(mine, { force: true })
        if (await othersHold(folder)) return 'others'
        await closing()
        return 'last'
      }),
  }
}

const othersHold = async (folder: string): Promise<boolean> => {
  const names = (await readdir(folder)).filter((name) => name.startsWith('holder.'))
  const alive = await Promise.all(names.map((name) => sweepIfDead(join(folder, name))))
  return alive.includes(true)
}

const sweepIfDead = async (file: string): Promise<boolean> => {
  const holder = await readFile(file, 'utf8')
  if (identifyProcess(Number.parseInt(holder, 10)) === holder) return true
  await rm(file, { force: true })
  return false
}
