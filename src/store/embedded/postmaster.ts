import { readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { commandOf, identifyProcess } from '../../home/process-identity.ts'

/** A running server, as described by `postmaster.pid` in its data folder. */
export type Postmaster = { pid: number; port: number; ready: boolean }

/** The server that runs on a data folder, if one does. The file outlives crashes and reboots, so the process is checked. */
export const findPostmaster = (data: string): Postmaster | undefined => {
  const noted = readNote(data)
  return noted && isPostmaster(noted.pid, data) ? noted : undefined
}

/** The process number in a `postmaster.pid` that no server has any more; by now it may be another program's. */
export const staleNumber = (data: string): number | undefined =>
  findPostmaster(data) ? undefined : readNote(data)?.pid

/** Waits for a server that is starting, and for one that is stopping until it is gone. */
export const whenSettled = async (data: string): Promise<Postmaster | undefined> => {
  for (;;) {
    const server = findPostmaster(data)
    if (!server || server.ready) return server
    await wait(20)
  }
}

/** Stops the server in PostgreSQL's fast mode: open transactions are rolled back, nothing acknowledged is lost. */
export const stopPostmaster = async (data: string, timeoutMs = 30_000): Promise<void> => {
  const server = findPostmaster(data)
  if (!server) return
  const identity = identifyProcess(server.pid)
  const fastUntil = performance.now() + timeoutMs
  for (let signal: NodeJS.Signals | undefined = 'SIGINT'; identifyProcess(server.pid) === identity; ) {
    if (signal) process.kill(server.pid, signal)
    await wait(20)
    signal = performance.now() > fastUntil ? 'SIGQUIT' : undefined
  }
}

/** Lines: number, data folder, start time, port, socket folder, address, shared memory, status. */
const readNote = (data: string): Postmaster | undefined => {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : undefined
  } catch {
    return undefined
  }
}

const isPostmaster = (pid: number, data: string): boolean =>
  identifyProcess(pid) !== undefined && (workingFolderOf(pid) === data || commandOf(pid).includes(` ${data} `))

/** A server works in its data folder. Unreadable without /proc, and for root in a container. */
const workingFolderOf = (pid: number): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}
