import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import { submitFile } from '../../src/batches/submit.ts'
import type { Kind } from '../../src/domain/kind.ts'
import { createLog } from '../../src/log/log.ts'
import { openSender } from '../../src/queue/sender.ts'
import { createQueues } from '../../src/queue/start-jobs.ts'
import { accounts, credentials } from '../../src/sandbox/identity.ts'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { readBatch } from '../../src/store/batches.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { migrate } from '../../src/store/migrate.ts'
import type { PostgresServer } from './postgres-server.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'
import { openFleet, type WorkerFleet } from './worker-fleet.ts'

/** What was handed in, as the one who handed it in remembers it. */
export type Submitted = { batchId: bigint; name: string; organizationId: number; kind: Kind; documents: string[] }

/** One scenario's world: a database, the registry, and workers, each of them real and its own process. */
export type Arena = AsyncDisposable & {
  sql: Database
  databaseUrl: string
  sandbox: SandboxProcess
  fleet: WorkerFleet
  home: string
  /** The bound over all workers. */
  most: number
  submitted: Submitted[]
  submit(documents: string[], options?: { organizationId?: number; kind?: Kind }): Promise<Submitted>
  /** Waits until every batch has its report, whatever happens to the database meanwhile. */
  finished(withinMs?: number): Promise<void>
  /** Asks the database until it says so; a database that is away is asked again. */
  until(ask: () => Promise<unknown>, withinMs?: number): Promise<void>
}

export type ArenaOptions = {
  server: PostgresServer
  seed: number
  scenario?: ScenarioPatch
  config?: Record<string, unknown>
  readyAfterMs?: number
  forgetful?: boolean
  /** Where the workers find the database, when that is not where it is. */
  workersReach?: (databaseUrl: string) => Promise<string>
}

const quick = {
  organizations: [accounts[1]],
  concurrency: { worker: 8, fleet: 16 },
  polling: { first: '50ms', max: '400ms', deadline: '20m' },
  request: { timeout: '700ms', retries: 2 },
}

export const openArena = async (options: ArenaOptions): Promise<Arena> => {
  await using stack = new AsyncDisposableStack()
  const database = await options.server.createDatabase()
  stack.defer(() => database.drop().catch(() => {}))
  const home = await mkdtemp(join(tmpdir(), 'vigia-chaos-'))
  if (!process.env.CHAOS_KEEP) stack.defer(() => rm(home, { recursive: true, force: true }))
  const sql = connect(database.url, { name: 'vigia chaos' })
  stack.defer(() => sql.end({ timeout: 1 }))
  await migrate(sql)
  const { seed, readyAfterMs, forgetful } = options
  const journal = join(home, 'sandbox.journal')
  const sandbox = stack.use(await startSandboxProcess({ seed, journal, readyAfterMs, forgetful }))
  if (options.scenario) await sandbox.set(options.scenario)
  const sender = stack.use(await openSender(database.url, createLog({ level: 'silent' })))
  await createQueues(sender.boss, lookupJobs, batchJobs)
  const config = { ...quick, ...options.config }
  const reached = options.workersReach ? await options.workersReach(database.url) : database.url
  const fleet = stack.use(openFleet(await logsIn(home), await environmentOf(home, reached, sandbox.url, config)))
  const submitted: Submitted[] = []
  const opened = stack.move()

  const submit: Arena['submit'] = async (documents, { organizationId = 7001, kind = 'analysis' } = {}) => {
    const text = fileOf(documents, submitted.length)
    const name = `people-${submitted.length + 1}`
    const batch = submissionOf(text, `${name}.csv`, organizationId, kind)
    const { batchId } = await submitFile(sql, sender.boss, batch)
    const each = { batchId, name, organizationId, kind, documents }
    submitted.push(each)
    return each
  }

  const until: Arena['until'] = async (ask, withinMs = 120_000) => {
    const deadline = performance.now() + withinMs
    while (!(await ask().catch(() => false))) {
      if (performance.now() > deadline) throw new Error(`Still waiting after ${withinMs / 1_000} s for ${ask}`)
      await pause(50)
    }
  }

  const finished: Arena['finished'] = async (withinMs) => {
    for (const { batchId } of submitted) await until(async () => (await readBatch(sql, batchId))?.exportedAt, withinMs)
  }

  const most = config.concurrency.fleet
  const dispose = () => opened.disposeAsync()
  const facts = { sql, databaseUrl: database.url, sandbox, fleet, home, most, submitted }
  return { ...facts, submit, finished, until, [Symbol.asyncDispose]: dispose }
}

/** Each row carries a mark of its own beside the document, so that a lost or doubled row shows. */
export const fileOf = (documents: string[], file: number): string =>
  `documento;ref\n${documents.map((document, i) => `${document};${markOf(file, i)}\n`).join('')}`

export const markOf = (file: number, row: number): string =>
  `r${createHash('sha256').update(`${file} ${row}`).digest('hex').slice(0, 8)}-${row}`

const logsIn = async (home: string): Promise<string> => {
  const logs = join(home, 'logs')
  await mkdir(logs)
  return logs
}

const environmentOf = async (
  home: string,
  databaseUrl: string,
  registryUrl: string,
  config: Record<string, unknown>,
): Promise<Record<string, string>> => {
  const file = join(home, 'config.json')
  await writeFile(file, JSON.stringify(config))
  const [{ organizationId, holderId, planId }] = accounts
  return {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    VIGIA_HOME: join(home, 'vigia'),
    VIGIA_CONFIG: file,
    REGISTRY_URL: registryUrl,
    REGISTRY_TOKEN: credentials.token,
    REGISTRY_REFRESH_TOKEN: credentials.refreshToken,
    REGISTRY_EMAIL: credentials.email,
    REGISTRY_USERNAME: credentials.username,
    REGISTRY_ORGANIZATION_ID: String(organizationId),
    REGISTRY_HOLDER_ID: String(holderId),
    REGISTRY_PLAN_ID: String(planId),
  }
}

const submissionOf = (text: string, fileName: string, organizationId: number, kind: Kind) => ({
  bytes: (async function* () {
    yield Buffer.from(text)
  })(),
  fileName,
  organizationId,
  kind,
  source: 'cli' as const,
  by: 'chaos',
  maxSpend: null,
  confirmAbove: null,
  encoding: 'utf8' as const,
  spreadsheets: false,
  freshSince: new Date(Date.now() - 30 * 86_400_000),
})
