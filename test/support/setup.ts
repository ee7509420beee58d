import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { loadSettings, type Settings } from '../../config/settings.ts'
import type { Tools } from '../../jobs/tools.ts'
import { type Submission, submitFile } from '../../src/batches/submit.ts'
import { openHome } from '../../src/home/folders.ts'
import { createLog } from '../../src/log/log.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts'
import { type Batch, readBatch } from '../../src/store/batches/batches.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { type Running, startEngine } from '../../src/worker.ts'
import { createDatabase, hasSessions } from './database.ts'
import { registryEnvironment } from './registry-environment.ts'
import { submissionOf } from './submission.ts'
import { until } from './until.ts'

export type Setup = AsyncDisposable & {
  sql: Database
  databaseUrl: string
  sandbox: Sandbox
  settings: Settings
  home: string
  running: Running
  tools: Tools
  /** Every log line so far. */
  logged: string[]
  submit(text: string | Buffer, options?: Partial<Submission>): Promise<bigint>
  finished(batchId: bigint): Promise<Batch>
}

/** Another engine on the same database and sandbox, like another worker or a restart; with a separate token. */
export const anotherEngine = (t: Setup, token = t.sandbox.credentials.token): Promise<Running> => {
  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), REGISTRY_TOKEN: token }
  const settings = { ...t.settings, registry: loadSettings(env).registry }
  const { sql, home } = t.tools
  const log = createLog({ level: 'silent' })
  return startEngine({ settings, home, databaseUrl: t.databaseUrl, sql, log }, { drainMs: 1_000 })
}

export type SetupOptions = {
  sandbox?: SandboxOptions
  config?: Record<string, unknown>
  /** Merged into the environment that names sandbox, database and home. */
  env?: Record<string, string>
  clock?: () => Date
}

/** Quick answers, so that a test from start to end takes a second. */
const quick = {
  polling: { first: '20ms', max: '200ms', deadline: '1h' },
  request: { timeout: '2s', retries: 2 },
  purchases: { listLag: '200ms' },
}

/** A separate database, sandbox, home and engine for a test; all of them real. */
export const setup = async ({ sandbox: sandboxOptions, config, env, clock }: SetupOptions = {}): Promise<Setup> => {
  await using stack = new AsyncDisposableStack()
  const database = await createDatabase()
  stack.defer(() => database.drop())
  const home = await mkdtemp(join(tmpdir(), 'vigia-home-'))
  stack.defer(() => rm(home, { recursive: true, force: true }))
  const sandbox = stack.use(await startSandbox({ readyAfterMs: 0, ...sandboxOptions }))
  const environment = { ...environmentOf(sandbox, database.url, home), ...env }
  const settings = loadSettings(environment, { overlay: { ...quick, ...config } })
  const sql = connect(database.url, { max: settings.databasePool!, hasSession: await hasSessions(database.url) })
  // If a test's server has closed its connections, the driver may keep waiting for one of them.
  stack.defer(() => sql.end({ timeout: 5 }))
  const logged: string[] = []
  const log = createLog({ level: 'info', stream: { write: (line: string) => void logged.push(line) } })
  const installation = { settings, home: await openHome(home), databaseUrl: database.url, sql, log }
  const running = stack.use(await startEngine(installation, { clock, drainMs: 1_000 }))
  const opened = stack.move()
  return {
    sql,
    databaseUrl: database.url,
    sandbox,
    settings,
    home,
    running,
    tools: running.tools,
    logged,
    async submit(text, options = {}) {
      const submission = submissionOf(text, sandbox.account.organizationId, options)
      const { batchId } = await submitFile(sql, running.tools.boss, submission)
      return batchId
    },
    finished: (batchId) =>
      until(async () => {
        const batch = await readBatch(sql, batchId)
        return batch?.exportedAt || (batch?.state === 'rejected' && !batch.importedAt) ? batch : null
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** One engine for the tests of a file, which leave each other's data alone. */
export const sharedSetup = async (options?: SetupOptions): Promise<Setup> => {
  let t: Setup | undefined
  afterAll(() => t?.[Symbol.asyncDispose]())
  t = await setup(options)
  return t
}

/**
 * With the smallest pool that is allowed, code that waits for a connection while it holds one is found. Connections to a
 * new database are also most of the cost of a test.
 */
export const environmentOf = (sandbox: Sandbox, databaseUrl: string, home: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  DATABASE_POOL: '4',
  VIGIA_HOME: home,
  ...registryEnvironment(sandbox),
})
