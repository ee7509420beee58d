import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readlinkSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../home/free-port.ts'
import { measureMachine } from '../../home/machine.ts'
import { commandOf, identifyProcess } from '../../home/process-identity.ts'
import { EmbeddedFailure, type ServerPlace, serverEnvironment } from './place.ts'
import type { Programs } from './programs.ts'

const ATTEMPTS = 20

/** Starts the server and waits until it takes connections. */
export const launch = async (
  programs: Programs,
  place: ServerPlace,
  settings: Record<string, string> = {},
): Promise<Postmaster> => {
  let complaint = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = await freePort(Number(await readFile(place.port, 'utf8').catch(() => '0')))
    const outcome = await start(programs.postgres, place, {
      ...defaults,
      shared_buffers: sharedBuffers(measureMachine().memory),
      ...settings,
      port: `${port}`,
    })
    if (typeof outcome === 'object') {
      await writeFile(place.port, `${port}\n`, { mode: 0o600 })
      return outcome
    }
    complaint = outcome
    if (!passes.test(complaint)) break
    await wait(250)
  }
  throw new EmbeddedFailure(`PostgreSQL did not start on ${place.data}; it says:\n${complaint}`)
}

/** Another process took the port since we checked, or processes of a killed server are still ending. */
const passes = /Address already in use|could not bind|pre-existing shared memory block/

/**
 * Loopback only, no socket files. The log is about the server and never contains errors of statements, because those quote
 * documents.
 */
const defaults = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  max_connections: '200',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/** PostgreSQL's own 128 MB, and less in a small container, which has other processes to hold. */
export const sharedBuffers = (memory: number): string => {
  const mebibytes = Math.floor(memory / 16 / 1024 / 1024)
  return `${Math.min(128, Math.max(32, mebibytes))}MB`
}

/** Returns the running server, or what it logged when it ended. */
const start = async (
  program: string,
  { data, log, user }: ServerPlace,
  settings: Record<string, string>,
): Promise<Postmaster | string> => {
  await using output = await open(log, 'a', 0o600)
  const { size } = await output.stat()
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // In a session of its own: Ctrl-C in our terminal is for us, not for the server.
  const child = spawn(program, ['-D', data, ...flags], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
    env: serverEnvironment(excuse(data)),
  })
  const ended = once(child, 'exit').then(
    () => undefined,
    (error: Error) => error.message,
  )
  child.unref()
  const finished = new AbortController()
  const result = await Promise.race([ended, untilReady(data, child.pid, finished.signal)])
  finished.abort()
  return typeof result === 'object' ? result : (result ?? (await readFile(log)).subarray(size).toString())
}

/** PostgreSQL does not start while the process named in an old `postmaster.pid` is alive, except for the one given here. */
const excuse = (data: string): Record<string, string> => {
  const pid = staleNumber(data)
  return pid === undefined ? {} : { PG_GRANDPARENT_PID: `${pid}` }
}

const untilReady = async (
  data: string,
  pid: number | undefined,
  given: AbortSignal,
): Promise<Postmaster | undefined> => {
  while (!given.aborted) {
    const server = findPostmaster(data)
    if (server?.ready && server.pid === pid) return server
    await wait(20)
  }
  return undefined
}

/** A running server, as described by `postmaster.pid` in its data folder. */
export type Postmaster = { pid: number; port: number; ready: boolean }

/** The server that runs on a data folder, if one does. The file outlives crashes and reboots, so the process is checked. */
export const findPostmaster = (data: string): Postmaster | undefined => {
  const noted = readNote(data)
  return noted && isPostmaster(noted.pid, data) ? noted : undefined
}

/** The process number in a `postmaster.pid` that no server has any more; by now it may be another program's. */
const staleNumber = (data: string): number | undefined => (findPostmaster(data) ? undefined : readNote(data)?.pid)

/** Waits for a server that is starting, and for one that is stopping until it is gone. */
export const whenSettled = async (data: string): Promise<Postmaster | undefined> => {
  for (;;) {
    const server = findPostmaster(data)
    if (!server || server.ready) return server
    await wait(20)
  }
}

/** Stops the server in PostgreSQL's fast mode: open transactions are rolled back, nothing acknowledged is lost. */
export const stopPostmaster = async (data: string): Promise<void> => {
  const server = findPostmaster(data)
  if (!server) return
  const identity = identifyProcess(server.pid)
  const fastUntil = performance.now() + 30_000
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
