import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings } from '../../config/settings.ts'
import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import { type Inbox, startInbox } from '../../src/batches/inbox/start-inbox.ts'
import { type Home, openHome } from '../../src/home/folders.ts'
import { createLog } from '../../src/log/log.ts'
import { startBoss } from '../../src/queue/boss.ts'
import { createQueues } from '../../src/queue/start-jobs.ts'
import { accounts, credentials } from '../../src/sandbox/identity.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'

export type InboxSetup = AsyncDisposable & {
  home: Home
  sql: Database
  inbox: Inbox
  logged: string[]
  /** Moves the clock on. */
  pass(ms: number): void
  drop(name: string, content: string | Uint8Array): Promise<void>
  /** Starts another process that watches the same inbox. */
  spawn(env?: Record<string, string>): Promise<ChildProcess>
  batches(): Promise<{ id: bigint; fileName: string; kind: string; organizationId: bigint }[]>
}

/** A home, a database and an inbox of its own; nobody imports, so that batches stay as they were made. */
export const setupInbox = async ({ watching = true } = {}): Promise<InboxSetup> => {
  await using stack = new AsyncDisposableStack()
  const database = await createDatabase()
  stack.defer(() => database.drop())
  const path = await mkdtemp(join(tmpdir(), 'vigia-inbox-'))
  stack.defer(() => rm(path, { recursive: true, force: true }))
  const env = environmentOf(database.url, path)
  const settings = loadSettings(env, { overlay: { import: { settle: '2s' } } })
  const sql = connect(database.url)
  stack.defer(() => sql.end())
  const logged: string[] = []
  const log = createLog({ level: 'info', stream: { write: (line: string) => void logged.push(line) } })
  const boss = await startBoss(database.url, log)
  stack.defer(() => boss.stop())
  await createQueues(boss, lookupJobs, batchJobs)
  const home = await openHome(path)
  let now = Date.now()
  const clock = () => new Date(now)
  const idle: Inbox = { scan: async () => {}, stop: async () => {} }
  const inbox = watching ? await startInbox({ home, settings, sql, boss, accounts: [...accounts], clock, log }) : idle
  stack.defer(() => inbox.stop())
  const processes = stack.adopt([] as ChildProcess[], killAll)
  const opened = stack.move()
  return {
    home,
    sql,
    inbox,
    logged,
    pass(ms) {
      now += ms
    },
    drop: (name, content) => dropFile(home, name, content),
    async spawn(more = {}) {
      const child = startProcess({ ...env, ...more })
      processes.push(child)
      await once(child.stdout!, 'data')
      return child
    },
    batches: () => sql`
      select id, file_name as "fileName", kind, organization_id as "organizationId" from batch order by id`,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** As careful programs do it: under another name first. */
const dropFile = async ({ inbox }: Home, name: string, content: string | Uint8Array): Promise<void> => {
  await mkdir(join(inbox, name, '..'), { recursive: true })
  await writeFile(join(inbox, `${name}.part`), content)
  await rename(join(inbox, `${name}.part`), join(inbox, name))
}

/** Every file below a folder; a folder may go while it is looked through. */
export const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.map((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [entry.name]))
  return (await Promise.all(names)).flat()
}

const startProcess = (env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'inbox-process.ts')], {
    env: { ...env, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

const killAll = async (children: ChildProcess[]): Promise<void> => {
  for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

const environmentOf = (databaseUrl: string, home: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  VIGIA_HOME: home,
  REGISTRY_URL: 'http://127.0.0.1:9',
  REGISTRY_TOKEN: credentials.token,
  REGISTRY_REFRESH_TOKEN: credentials.refreshToken,
  REGISTRY_EMAIL: credentials.email,
  REGISTRY_USERNAME: credentials.username,
  REGISTRY_ORGANIZATION_ID: String(accounts[0].organizationId),
  REGISTRY_HOLDER_ID: String(accounts[0].holderId),
  REGISTRY_PLAN_ID: String(accounts[0].planId),
})
