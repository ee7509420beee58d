import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import { type Submission, submitFile } from '../../src/batches/submit.ts'
import { parseDuration } from '../../src/domain/duration.ts'
import type { Kind } from '../../src/domain/kind.ts'
import { createLog } from '../../src/log/log.ts'
import type { Boss } from '../../src/queue/boss.ts'
import { openSender } from '../../src/queue/boss.ts'
import { createQueues } from '../../src/queue/start-jobs.ts'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { migrate } from '../../src/store/migrate.ts'
import { createToken, hashSecret, insertOperator } from '../../src/store/people/operators.ts'
import { registryEnvironment } from '../support/registry-environment.ts'
import { submissionOf } from '../support/submission.ts'
import type { PostgresServer } from './postgres-server.ts'
import { startWitness, type Witness } from './witness.ts'
import { openFleet, type WorkerFleet } from './worker-fleet.ts'

/** What was submitted, as the submitter remembers it. */
export type Submitted = {
  batchId: bigint
  /** The number of the file; the marks of its rows come from it. */
  file: number
  name: string
  organizationId: number
  kind: Kind
  documents: string[]
}

/** The environment of one scenario: a database, the registry and workers, each of them a real process. */
export type Arena = AsyncDisposable & {
  sql: Database
  databaseUrl: string
  boss: Boss
  sandbox: Witness
  fleet: WorkerFleet
  home: string
  /** The limit of open requests over all workers. */
  most: number
  /** How long a caller waits for one answer. */
  timeoutMs: number
  submitted: Submitted[]
  submit(documents: string[], options?: { organizationId?: number; kind?: Kind }): Promise<Submitted>
  /** Submits the same bytes again: returns the batch that they belong to now. */
  submitAgain(submitted: Submitted): Promise<Submitted>
  /** Waits until every batch has its report, whatever happens to the database meanwhile. */
  finished(withinMs?: number): Promise<void>
  /** Polls the database until the condition holds, even while the database is unavailable. */
  until(ask: () => Promise<unknown>, withinMs?: number): Promise<void>
}

export type ArenaOptions = {
  server: Pick<PostgresServer, 'createDatabase'>
  seed: number
  scenario?: ScenarioPatch
  config?: Record<string, unknown>
  readyAfterMs?: number
  forgetful?: boolean
  /** The database address of the workers, if it is not that of the server. */
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
  const sandbox = stack.use(await startWitness({ seed, journal, readyAfterMs, forgetful }))
  if (options.scenario) await sandbox.set(options.scenario)
  const sender = stack.use(await openSender(database.url, createLog({ level: 'silent' })))
  await createQueues(sender.boss, lookupJobs, batchJobs)
  const config = { ...quick, ...options.config }
  const reached = options.workersReach ? await options.workersReach(database.url) : database.url
  const environment = await environmentOf(home, reached, sandbox.url, config)
  const fleet = stack.use(openFleet(await logsIn(home), environment, await operatorIn(sql)))
  const submitted: Submitted[] = []
  const opened = stack.move()

  const submit: Arena['submit'] = async (documents, { organizationId = 7001, kind = 'analysis' } = {}) => {
    const file = submitted.length
    return submitAgain({ batchId: 0n, file, name: `people-${file + 1}`, organizationId, kind, documents })
  }

  const submitAgain: Arena['submitAgain'] = async (each) => {
    const { batchId } = await submitFile(sql, sender.boss, fileToSubmit(each))
    const known = submitted.find((other) => other.batchId === batchId)
    if (!known) submitted.push({ ...each, batchId })
    return known ?? { ...each, batchId }
  }

  const until: Arena['until'] = async (ask, withinMs = 120_000) => {
    const deadline = performance.now() + withinMs
    while (!(await ask().catch(() => false))) {
      if (performance.now() > deadline)
        throw new Error(`Still waiting after ${withinMs / 1_000} s: ${await whereItStands(sql)}`)
      await pause(50)
    }
  }

  const finished: Arena['finished'] = async (withinMs) => {
    for (const { batchId } of submitted) await until(async () => (await readBatch(sql, batchId))?.exportedAt, withinMs)
  }

  const most = config.concurrency.fleet
  const timeoutMs = parseDuration(config.request.timeout)
  const dispose = () => opened.disposeAsync()
  const facts = { sql, databaseUrl: database.url, boss: sender.boss, sandbox, fleet, home, most, timeoutMs, submitted }
  return { ...facts, submit, submitAgain, finished, until, [Symbol.asyncDispose]: dispose }
}

/** Explains why a scenario did not finish in time. */
const whereItStands = async (sql: Database): Promise<string> => {
  const [now] = await sql<{ lookups: string; lanes: string; batches: string; oldest: string }[]>`
    select (select string_agg(state || ' ' || n, ', ') from (select state, count(*) as n from vigia.lookup group by 1) as s) as lookups,
           (select string_agg(organization_id || '/' || kind || ' ' || cause || ' ' || trials || ' trials', ', ') from vigia.lane) as lanes,
           (select string_agg(id || ' ' || state, ', ') from vigia.batch where exported_at is null) as batches,
           (select id || ': ' || array_to_string(trace, ' | ') from vigia.lookup
             where finished_at is null order by cardinality(trace) desc limit 1) as oldest`
  return `look-ups ${now?.lookups}; held ${now?.lanes}; batches ${now?.batches}; for one, ${now?.oldest}`
}

/** Each row carries a mark beside the document, so that a lost or doubled row shows. */
export const fileOf = (documents: string[], file: number): string =>
  `documento;ref\n${documents.map((document, i) => `${document};${labelOf(file, i)}\n`).join('')}`

export const labelOf = (file: number, row: number): string =>
  `r${createHash('sha256').update(`${file} ${row}`).digest('hex').slice(0, 8)}-${row}`

/** A user of the page, and the token to sign in with. */
const operatorIn = async (sql: Database): Promise<string> => {
  const token = createToken()
  await insertOperator(sql, { name: 'onlooker', role: 'analyst', tokenHash: hashSecret(token) })
  return token
}

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
  return {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    VIGIA_HOME: join(home, 'vigia'),
    VIGIA_CONFIG: file,
    PORT: '0',
    ...registryEnvironment({ url: registryUrl }),
  }
}

const fileToSubmit = ({ documents, file, name, organizationId, kind }: Submitted): Submission =>
  submissionOf(fileOf(documents, file), organizationId, { fileName: `${name}.csv`, kind })
