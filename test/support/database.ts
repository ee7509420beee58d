import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import { startBoss } from '../../src/queue/boss.ts'
import { createQueues } from '../../src/queue/start-jobs.ts'
import { connect, type Database, hasOwnSession } from '../../src/store/connect.ts'
import { startEmbedded } from '../../src/store/embedded/start-embedded.ts'
import { migrate } from '../../src/store/migrate.ts'
import { quickestFolder } from './quickest-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
    databaseTemplate: string
    databaseStrategy: string
  }
}

/** One server for the run, with the schema and the queues in a template that `createDatabase` copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  const template = `vigia_template_${randomBytes(4).toString('hex')}`
  await createTemplate(server.url, template).catch(async (error) => {
    await server.stop()
    throw error
  })
  project.provide('databaseUrl', server.url)
  project.provide('databaseTemplate', template)
  project.provide('databaseStrategy', await strategyOf(server.url))
  return async () => {
    await runAdmin(server.url, `drop database ${template} with (force)`)
    await admins.get(server.url)?.end()
    await server.stop()
  }
}

/** A separate database for a test, with the schema and the queues in it. */
export const createDatabase = async (): Promise<{ url: string; drop(): Promise<void> }> => {
  const server = inject('databaseUrl')
  const name = `vigia_test_${randomBytes(6).toString('hex')}`
  await runAdmin(server, `create database ${name} template ${inject('databaseTemplate')} ${inject('databaseStrategy')}`)
  await forgetSearchPath(server, name)
  return { url: urlOf(reached(server), name), drop: () => runAdmin(server, `drop database ${name} with (force)`) }
}

/** Whether the connections to a test's database have sessions: all databases are reached alike, so it is tried once. */
export const hasSessions = (url: string): Promise<boolean> => {
  sessions ??= hasOwnSession(url)
  return sessions
}
let sessions: Promise<boolean> | undefined

/** `TEST_POOL_URL` is the same server behind a pool: the tests reach their databases through it. */
const reached = (server: string): string => process.env.TEST_POOL_URL ?? server

/** A separate, empty database for a test. */
export const createEmptyDatabase = async (): Promise<{ url: string; drop(): Promise<void> }> => {
  const server = inject('databaseUrl')
  const name = `vigia_empty_${randomBytes(6).toString('hex')}`
  await runAdmin(server, `create database ${name} template template0`)
  await forgetSearchPath(server, name)
  return { url: urlOf(reached(server), name), drop: () => runAdmin(server, `drop database ${name} with (force)`) }
}

/** A separate database for a test and a pool to it, until the test lets go of it. */
export const openDatabase = async (options?: Parameters<typeof connect>[1]) => {
  const { url, drop } = await createDatabase()
  const sql = connect(url, options)
  return {
    sql,
    url,
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 5 })
      await drop()
    },
  }
}

/** As behind a pool, a name without its schema is not found: the role's own name would select the schema vigia for it. */
const forgetSearchPath = (server: string, database: string) =>
  runAdmin(server, `alter database ${database} set search_path = ''`)

const startServer = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  const home = await mkdtemp(join(await quickestFolder(), 'vigia-test-'))
  await chmod(home, 0o755)
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    autovacuum: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '256MB',
    scram_iterations: '1',
  }
  const server = await startEmbedded({ home, settings })
  await hashPasswordAnew(server.url)
  return {
    url: server.url,
    async stop() {
      await server.release()
      await rm(dirname(server.data), { recursive: true, force: true })
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Thousands of connections authenticate, and 4096 rounds of a hash would cost each of them more than its first query. */
const hashPasswordAnew = (server: string): Promise<void> => {
  const { username, password } = new URL(server)
  return runAdmin(server, `alter role ${username} password '${decodeURIComponent(password)}'`)
}

const createTemplate = async (server: string, name: string): Promise<void> => {
  await runAdmin(server, `create database ${name}`)
  const url = urlOf(server, name)
  const sql = connect(url, { max: 1 })
  await migrate(sql).finally(() => sql.end())
  const boss = await startBoss(url, console)
  await createQueues(boss, lookupJobs, batchJobs).finally(() => boss.stop())
  await putOffUpkeep(url)
}

/** pg-boss maintains indexes and flows once a day or a minute, and at once in a new database: longer than a test takes. */
const putOffUpkeep = async (url: string): Promise<void> => {
  const sql = connect(url, { max: 1 })
  await sql`update pgboss.version set flow_on = later, bam_on = later, reindex_on = later
              from (select now() + interval '1 day' as later) tomorrow`.finally(() => sql.end())
}

/** Copying files takes half of the time of writing each page to the log; PostgreSQL 14 has only one strategy. */
const strategyOf = async (server: string): Promise<string> => {
  const sql = connect(server, { max: 1 })
  const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`.finally(
    () => sql.end(),
  )
  return row!.version >= 150_000 ? 'strategy file_copy' : ''
}

const admins = new Map<string, Database>()

/** One connection for all tests of a process: opening one takes longer than creating a database. */
const runAdmin = async (server: string, statement: string): Promise<void> => {
  const sql = admins.get(server) ?? connect(server, { max: 1, name: 'vigia test support' })
  admins.set(server, sql)
  await sql.unsafe(statement)
}

const urlOf = (server: string, database: string): string => {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
