import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { main } from '../../src/cli/main.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { call } from '../cli/call.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { cpf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'

export type Upgraded = AsyncDisposable & {
  sql: Database
  sandbox: Sandbox
  home: string
  folder: string
  /** Runs today's command line; returns the one JSON document that it prints. */
  vigia(...args: string[]): Promise<Record<string, unknown> & { exitCode: number }>
  /** Starts today's worker, as `vigia worker` runs it; it stops when the test ends. */
  startWorker(): Promise<{ url: string }>
}

/** The database, the folders and the registry as an older Vigia left them, under today's program. */
export const loadFixture = async (folder: string): Promise<Upgraded> => {
  await using stack = new AsyncDisposableStack()
  const database = await createEmptyDatabase()
  stack.defer(() => database.drop())
  const temporary = await mkdtemp(join(tmpdir(), 'vigia-upgrade-'))
  stack.defer(() => rm(temporary, { recursive: true, force: true }))
  await restore(database.url, await unpack(folder, 'dump.sql.gz'))
  const sql = connect(database.url, { max: 2 })
  stack.defer(() => sql.end({ timeout: 5 }))
  const home = join(temporary, 'home')
  await mkdir(home)
  await cp(join(folder, 'home'), home, { recursive: true })
  const journal = join(temporary, 'journal.jsonl')
  await writeFile(journal, await unpack(folder, 'journal.jsonl.gz'))
  const sandbox = stack.use(await startSandbox({ journal, readyAfterMs: 0 }))
  sandbox.setScenario({ ...calm, hidesAbsentCnh: true })
  const config = join(temporary, 'settings.json')
  await writeFile(config, JSON.stringify(today))
  const env = { ...environmentOf(sandbox, database.url, home), ...quiet, VIGIA_CONFIG: config }
  const held = stack.move()
  return {
    sql,
    sandbox,
    home,
    folder,
    async vigia(...args) {
      const { exitCode, stdout, stderr } = await call([...args, '--json'], env)
      if (stdout === '') throw new Error(`vigia ${args.join(' ')} wrote nothing: ${stderr}`)
      return { ...JSON.parse(stdout), exitCode }
    },
    async startWorker() {
      const worker = await startWorkerHere(env)
      held.defer(worker.stop)
      return worker
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** The fictitious people of the fixture, each range for one purpose. */
export const people = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => cpf(70_000 + from + i))

/** The settings of the old Vigia: nothing of the fixture may time out before it is loaded, in a year or in five. */
const lasting = {
  organizations: [{ organizationId: 7002, holderId: 502, planId: 32 }],
  polling: { first: '100ms', max: '500ms', deadline: '3650d' },
  request: { timeout: '2s', retries: 1 },
  freshness: { analysis: '3650d', cnh: '3650d', scr: '3650d', processes: '3650d' },
  import: { maxRejectShare: 0.7 },
  retention: { batches: '3650d', lookups: '3700d' },
  radarSweep: { refresh: 'processes', analysisEvery: '3650d' },
  sweeps: { radars: null, unfinished: null, usage: null, purge: null },
}

/** Removes what made the look-ups wait: everything is ready at once, every plan has units, every call is answered. */
const calm = { readyAfterMs: 0, plans: {}, deniedOrganizations: [], faults: [], activities: {}, radars: {} }

/** A request that stays 404 ends at its deadline; with the old version it ended at once. */
const polling = { ...lasting.polling, cnh: { deadline: '15s' } }

/** The same settings as the old one had; new settings have short times, and nobody is notified. */
const today = { ...lasting, polling, alerts: {}, purchases: { listLag: '200ms' } }

const quiet = { PORT: '0', NO_COLOR: '1', LOG_LEVEL: 'fatal' }

/** One of the packed files of a fixture. */
export const unpack = async (folder: string, name: string): Promise<string> =>
  gunzipSync(await readFile(join(folder, name))).toString()

const restore = async (url: string, statements: string): Promise<void> => {
  const sql = connect(url, { max: 1 })
  await sql.unsafe(statements).finally(() => sql.end())
}

const startWorkerHere = async (env: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }> => {
  const stopping = new AbortController()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const ended = main(['worker', '--json'], { env, stdout, stderr, signal: stopping.signal })
  const firstOutput = await Promise.race([
    new Promise<string>((resolve) => stdout.once('data', (data) => resolve(String(data)))),
    ended.then((code) => Promise.reject(new Error(`the worker ended with ${code}: ${stderr.read()}`))),
  ])
  return {
    ...(JSON.parse(firstOutput) as { url: string }),
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
