import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
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

/**
 * Runs `action` while no other process on this machine runs one for the same folder.
 *
 * The lock is the file with the highest number. It is free when it is empty or its writer is dead, and is taken by
 * creating the next number, which only one contender can do. The lock of a dead owner is thus never removed or renamed:
 * between the check and the removal, somebody else could have taken it.
 */
export const withLock = async <T>(folder: string, action: () => Promise<T>): Promise<T> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = await acquire(folder)
  try {
    return await action()
  } finally {
    await truncate(lock)
  }
}

const PREFIX = 'lock.'

const acquire = async (folder: string): Promise<string> => {
  const ticket = join(folder, `ticket.${process.pid}.${randomUUID()}`)
  await writeFile(ticket, identifyProcess(process.pid) ?? '', { mode: 0o644 })
  try {
    for (;;) {
      const lock = await tryAcquire(folder, ticket)
      if (lock) return lock
      await wait(10 + Math.random() * 20)
    }
  } finally {
    await rm(ticket, { force: true })
  }
}

const tryAcquire = async (folder: string, ticket: string): Promise<string | undefined> => {
  const current = await highest(folder)
  if (current > 0 && (await isHeld(nameOf(folder, current)))) return undefined
  const mine = nameOf(folder, current + 1)
  if (!(await linkOnce(ticket, mine))) return undefined
  // A slow contender may create a number that was passed and removed long ago.
  if ((await highest(folder)) > current + 1) {
    await rm(mine, { force: true })
    return undefined
  }
  await sweep(folder, current + 1)
  return mine
}

const isHeld = async (lock: string): Promise<boolean> => {
  const owner = await readFile(lock, 'utf8').catch(emptyIfGone)
  return owner !== '' && identifyProcess(Number.parseInt(owner, 10)) === owner
}

const linkOnce = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes the locks before ours, and the leftovers of contenders that were killed while they waited. */
const sweep = async (folder: string, below: number): Promise<void> => {
  const old = (await numbers(folder)).filter((number) => number < below).map((number) => nameOf(folder, number))
  const tickets = (await readdir(folder)).filter((name) => name.startsWith('ticket.'))
  const dead = tickets.filter((name) => identifyProcess(Number(name.split('.')[1])) === undefined)
  await Promise.all([...old, ...dead.map((name) => join(folder, name))].map((file) => rm(file, { force: true })))
}

const emptyIfGone = (error: NodeJS.ErrnoException): string => {
  if (error.code === 'ENOENT') return ''
  throw error
}

const highest = async (folder: string) => Math.max(0, ...(await numbers(folder)))

const numbers = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.startsWith(PREFIX)).map((name) => Number(name.slice(PREFIX.length)))

const nameOf = (folder: string, number: number) => join(folder, `${PREFIX}${number}`)
