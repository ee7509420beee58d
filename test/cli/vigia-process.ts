import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'
import { environmentOf } from '../support/setup.ts'
import { call } from './call.ts'

const program = resolve(import.meta.dirname, '../../src/cli/vigia.js')

export type Ended = { exitCode: number | null; stdout: string; stderr: string }

export type Installed = AsyncDisposable & {
  sql: Database
  sandbox: Sandbox
  home: string
  env: Record<string, string>
  /** Runs the real program to its end. */
  vigia(...args: string[]): Promise<Ended>
  /** The one JSON document that the program prints. */
  json(...args: string[]): Promise<Record<string, unknown> & { exitCode: number | null }>
  /** Starts the real program, for a test that stops it. */
  start(...args: string[]): { child: ChildProcess; ended: Promise<Ended> }
  write(name: string, content: string | Buffer): Promise<string>
}

/** An unknown outcome is judged once the registry's list must contain it: after half a minute by default. */
const quick = {
  polling: { first: '20ms', max: '200ms', deadline: '1h' },
  request: { timeout: '2s', retries: 1 },
  purchases: { listLag: '200ms' },
}

/** Sets up a database, a sandbox and a home for the real program. */
export const install = async (config: object = {}, options: SandboxOptions = {}): Promise<Installed> => {
  await using stack = new AsyncDisposableStack()
  const database = await createDatabase()
  stack.defer(() => database.drop())
  const home = await mkdtemp(join(tmpdir(), 'vigia-cli-'))
  stack.defer(() => rm(home, { recursive: true, force: true }))
  const sandbox = stack.use(await startSandbox({ readyAfterMs: 0, ...options }))
  const sql = connect(database.url, { max: 2 })
  stack.defer(() => sql.end())
  const settings = join(home, 'settings.json')
  await writeFile(settings, JSON.stringify({ ...quick, ...config }))
  const env = { ...environmentOf(sandbox, database.url, home), VIGIA_CONFIG: settings, PORT: '0', NO_COLOR: '1' }
  const held = stack.move()

  const start: Installed['start'] = (...args) => {
    const child = spawn(process.execPath, [program, ...args], { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
    return { child, ended: endOf(child) }
  }
  return {
    sql,
    sandbox,
    home,
    env,
    start,
    vigia: (...args) => start(...args).ended,
    async json(...args) {
      const { exitCode, stdout } = await start(...args, '--json').ended
      return { ...JSON.parse(stdout), exitCode }
    },
    async write(name, content) {
      await writeFile(join(home, name), content)
      return join(home, name)
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/**
 * The same, with its commands called in this process: starting the program takes longer than most commands
 * do. `start` still starts the real one, and `stable-keys.slow.test.ts` runs every command as people do.
 */
export const installHere = async (config: object = {}, options: SandboxOptions = {}): Promise<Installed> => {
  const t = await install(config, options)
  const here = (args: string[]) => call(args, { ...t.env, LOG_LEVEL: 'fatal' })
  const cwd = process.cwd()
  process.chdir(t.home)
  return {
    ...t,
    vigia: (...args) => here(args),
    async json(...args) {
      const { exitCode, stdout } = await here([...args, '--json'])
      return { ...JSON.parse(stdout), exitCode }
    },
    async [Symbol.asyncDispose]() {
      process.chdir(cwd)
      await t[Symbol.asyncDispose]()
    },
  }
}

const endOf = async (child: ChildProcess): Promise<Ended> => {
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit'),
  ])
  return { exitCode, stdout, stderr }
}
