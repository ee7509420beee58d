import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings, type Settings } from '../../config/settings.ts'
import { importBatch } from '../../jobs/import-batch.ts'
import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import type { Tools } from '../../jobs/tools.ts'
import { type Submission, submitFile } from '../../src/batches/submit.ts'
import { type Home, openHome } from '../../src/home/folders.ts'
import { createLog } from '../../src/log/log.ts'
import { startBoss } from '../../src/queue/boss.ts'
import { createQueues } from '../../src/queue/start-jobs.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { type Batch, readBatch } from '../../src/store/batches/batches.ts'
import { connect, type Database, hasOwnSession, isNotified } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'
import { registryEnvironment } from '../support/registry-environment.ts'
import { offline } from './offline.ts'

export type Ground = AsyncDisposable & {
  env: Record<string, string>
  settings: Settings
  home: Home
  sql: Database
  tools: Tools & { signal: AbortSignal }
  logged: string[]
  submit(content: string | Uint8Array, more?: Partial<Submission>): Promise<bigint>
  /** Submits a file and imports it here and now. */
  imported(content: string | Uint8Array, more?: Partial<Submission>): Promise<Batch>
}

/** A database, a home and queues of its own without a worker: a test takes each step itself. */
export const setupGround = async (overlay: Record<string, unknown> = {}): Promise<Ground> => {
  await using stack = new AsyncDisposableStack()
  const database = await createDatabase()
  stack.defer(() => database.drop())
  const path = await mkdtemp(join(tmpdir(), 'vigia-ground-'))
  stack.defer(() => rm(path, { recursive: true, force: true }))
  const env = environmentOf(database.url, path)
  const settings = loadSettings(env, { overlay })
  const sql = connect(database.url, { hasSession: await hasOwnSession(database.url) })
  stack.defer(() => sql.end())
  const logged: string[] = []
  const log = createLog({ level: 'info', stream: { write: (line: string) => void logged.push(line) } })
  const boss = await startBoss(database.url, log, { listens: await isNotified(database.url) })
  stack.defer(() => boss.stop())
  await createQueues(boss, lookupJobs, batchJobs)
  const home = await openHome(path)
  const tools = offline({ sql, boss, settings, home, log, clock: () => new Date() })
  const opened = stack.move()
  const submit: Ground['submit'] = async (content, more) =>
    (await submitFile(sql, boss, submissionOf(content, more))).batchId
  return {
    env,
    settings,
    home,
    sql,
    tools,
    logged,
    submit,
    async imported(content, more) {
      const id = await submit(content, more)
      await importBatch.work({ batchId: String(id) }, tools)
      return (await readBatch(sql, id)) as Batch
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export const submissionOf = (content: string | Uint8Array, more: Partial<Submission> = {}): Submission => ({
  bytes: (async function* () {
    yield Buffer.from(content)
  })(),
  fileName: 'people.csv',
  organizationId: accounts[0].organizationId,
  kind: 'analysis',
  source: 'cli',
  by: 'test',
  maxSpend: null,
  confirmAbove: null,
  encoding: 'utf8',
  spreadsheets: false,
  freshSince: new Date(Date.now() - 30 * 86_400_000),
  ...more,
})

const environmentOf = (databaseUrl: string, home: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  VIGIA_HOME: home,
  ...registryEnvironment({ url: 'http://127.0.0.1:9' }),
})
