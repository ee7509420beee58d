import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { loadSettings, type Settings } from '../../config/settings.ts'
import { importBatch } from '../../jobs/import-batch.ts'
import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import type { Tools } from '../../jobs/tools.ts'
import { exportBatch, exportWorkbook } from '../../src/batches/export.ts'
import { type Submission, submitFile } from '../../src/batches/submit.ts'
import type { WorkbookRow } from '../../src/files/xlsx/read-workbook.ts'
import { type Home, openHome } from '../../src/home/folders.ts'
import { createLog } from '../../src/log/log.ts'
import { startBoss } from '../../src/queue/boss.ts'
import { createQueues } from '../../src/queue/start-jobs.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { type Batch, readBatch } from '../../src/store/batches/batches.ts'
import { recount } from '../../src/store/batches/counts.ts'
import { connect, type Database, isNotified } from '../../src/store/connect.ts'
import { createDatabase, hasSessions } from '../support/database.ts'
import { readCsv, sheetsIn } from '../support/read-report.ts'
import { registryEnvironment } from '../support/registry-environment.ts'
import { submissionOf as submissionFor } from '../support/submission.ts'
import { type Answers, answerAll } from './answers.ts'
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
  /** Answers open look-ups of a batch, and finishes it once all are. */
  answer(id: bigint, answers?: Answers): Promise<void>
  /** Imports a file, and answers and finishes all of it. */
  answered(content: string | Uint8Array, more?: Partial<Submission> & { answers?: Answers }): Promise<Batch>
  /** Exports a batch into a folder of its own, on a certain day. */
  export(id: bigint, options?: Partial<Parameters<typeof exportBatch>[2]>): ReturnType<typeof exportBatch>
  /** The rows of its CSV report, by their headers. */
  report(id: bigint, options?: Partial<Parameters<typeof exportBatch>[2]>): Promise<Record<string, string>[]>
  /** The sheets of its workbook, in English. */
  sheets(id: bigint, options?: Partial<Parameters<typeof exportWorkbook>[2]>): Promise<Record<string, WorkbookRow[]>>
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
  const hasSession = await hasSessions(database.url)
  const sql = connect(database.url, { hasSession })
  stack.defer(() => sql.end())
  const logged: string[] = []
  const log = createLog({ level: 'info', stream: { write: (line: string) => void logged.push(line) } })
  const boss = await startBoss(database.url, log, { listens: hasSession || (await isNotified(database.url)) })
  stack.defer(() => boss.stop())
  await createQueues(boss, lookupJobs, batchJobs)
  const home = await openHome(path)
  const tools = offline({ sql, boss, settings, home, log, clock: () => new Date() })
  const opened = stack.move()
  const submit: Ground['submit'] = async (content, more) =>
    (await submitFile(sql, boss, submissionOf(content, more))).batchId
  const imported: Ground['imported'] = async (content, more) => {
    const id = await submit(content, more)
    await importBatch.work({ batchId: String(id) }, tools)
    return (await readBatch(sql, id)) as Batch
  }
  const answer: Ground['answer'] = async (id, answers) => {
    await answerAll(sql, id, answers)
    await sql.begin((tx) => recount(tx, id, new Date()))
  }
  const terms = (id: bigint) => ({ folder: join(home.outbox, String(id)), now: today, settings })
  const exported: Ground['export'] = (id, options) => exportBatch(sql, id, { ...terms(id), ...options })
  return {
    env,
    settings,
    home,
    sql,
    tools,
    logged,
    submit,
    imported,
    answer,
    async answered(content, { answers, ...more } = {}) {
      const { id } = await imported(content, more)
      await answer(id, answers)
      return (await readBatch(sql, id)) as Batch
    },
    export: exported,
    report: async (id, options) => readCsv((await exported(id, options)).report),
    sheets: async (id, options) =>
      sheetsIn((await exportWorkbook(sql, id, { ...terms(id), language: 'en', ...options })).workbook),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const today = new Date('2026-11-15T12:00:00Z')

export const submissionOf = (content: string | Uint8Array, more: Partial<Submission> = {}): Submission =>
  submissionFor(content, accounts[0].organizationId, more)

/**
 * One ground for all tests of a file: before each of them the tables and the home are empty. To empty
 * them takes a tenth of the time that a new database takes, with its queues and connections.
 */
export const sharedGround = (overlay: Record<string, unknown> = {}): Ground => {
  let ground: Ground
  beforeAll(async () => {
    ground = await setupGround(overlay)
  })
  beforeEach(async () => {
    await emptyTables(ground.sql)
    await rm(ground.home.path, { recursive: true })
    await openHome(ground.home.path)
  })
  afterAll(() => ground[Symbol.asyncDispose]())
  return new Proxy({} as Ground, { get: (_, name) => Reflect.get(ground, name) })
}

/** A truncation makes several new files for each table, so those that hold nothing are left out. */
const emptyTables = async (sql: Database): Promise<void> => {
  const tables = await sql<{ name: string }[]>`
    select format('vigia.%I', tablename) as name from pg_tables
     where schemaname = 'vigia' and tablename not in ('migration', 'fleet', 'page_secret')`
  const filled = await sql.unsafe<{ name: string }[]>(
    tables.map(({ name }) => `select '${name}' as name where exists (select from ${name})`).join(' union all '),
  )
  if (filled.length === 0) return
  const names = filled.map(({ name }) => name).join(', ')
  await sql.unsafe(`truncate ${names} restart identity cascade; delete from pgboss.job`)
}

const environmentOf = (databaseUrl: string, home: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  VIGIA_HOME: home,
  ...registryEnvironment({ url: 'http://127.0.0.1:9' }),
})
