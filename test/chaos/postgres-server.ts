import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect } from '../../src/store/connect.ts'
import { findPostmaster } from '../../src/store/embedded/launch.ts'
import { type Embedded, startEmbedded } from '../../src/store/embedded/start-embedded.ts'

/** Fast rolls back what is open and closes; immediate is a crash, and the next start recovers from the log. */
export type Stop = 'fast' | 'immediate'

export type PostgresServer = AsyncDisposable & {
  url: string
  createDatabase(): Promise<{ url: string; drop(): Promise<void> }>
  /** Stops the server while it is in use and starts it again on the same port. */
  restart(stop: Stop): Promise<void>
  /** Crashes the server, copies its data as they are, and starts it again; returns the folder of the copy. */
  copy(): Promise<string>
  /** Crashes the server and starts it on the same port from an older copy: all later commits are lost. */
  rewind(copy: string): Promise<void>
}

const settings = { max_connections: '300', fsync: 'off', full_page_writes: 'on' }

/** A separate PostgreSQL in a temporary folder, so that it can be stopped at any moment. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const home = await mkdtemp(join(tmpdir(), 'vigia-chaos-postgres-'))
  await chmod(home, 0o755)
  const first = await startEmbedded({ home, settings })
  const holding: Embedded[] = [first]
  const start = async () => {
    const again = await startEmbedded({ home, settings })
    holding.push(again)
    if (again.url !== first.url) throw new Error('PostgreSQL came back on another port: its own was taken meanwhile')
  }
  return {
    url: first.url,
    createDatabase: () => createDatabase(first.url),
    async restart(stop) {
      await stopServer(first.data, stop)
      await start()
    },
    async copy() {
      const copy = join(home, `copy-${holding.length}`)
      await stopServer(first.data, 'immediate')
      await copyFolder(first.data, copy)
      await start()
      return copy
    },
    async rewind(copy) {
      await stopServer(first.data, 'immediate')
      await rm(first.data, { recursive: true })
      await copyFolder(copy, first.data)
      await start()
    },
    async [Symbol.asyncDispose]() {
      for (const each of holding) await each.release()
      await rm(dirname(first.data), { recursive: true, force: true })
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** With owner and permissions, which PostgreSQL requires. */
const copyFolder = async (from: string, to: string): Promise<void> => {
  await promisify(execFile)('cp', ['-a', from, to])
}

const stopServer = async (data: string, stop: Stop): Promise<void> => {
  const server = findPostmaster(data)
  if (!server) return
  process.kill(server.pid, stop === 'fast' ? 'SIGINT' : 'SIGQUIT')
  while (findPostmaster(data)?.pid === server.pid) await wait(10)
}

const createDatabase = async (server: string): Promise<{ url: string; drop(): Promise<void> }> => {
  const name = `chaos_${randomBytes(6).toString('hex')}`
  await runAdmin(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runAdmin(server, `drop database if exists ${name} with (force)`) }
}

const runAdmin = async (server: string, statement: string): Promise<void> => {
  const sql = connect(server, { max: 1, name: 'vigia chaos' })
  await sql.unsafe(statement).finally(() => sql.end())
}
