import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { startEmbedded } from '../../src/store/embedded/start-embedded.ts'
import { endOnSignal } from '../support/end-on-signal.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'

/**
 * Runs the tests of the engine, and three scenarios of chaos, through PgBouncer in transaction mode: `through-pool.ts [--
 * TEST…]`.
 */
const tests = [
  'test/store/migrate.test.ts',
  'test/store/connect.test.ts',
  'test/queue',
  'test/engine',
  'test/purchases',
  'test/jobs/end-to-end',
  'test/jobs/kinds',
  'test/jobs/spending',
  'test/batches/quote',
  'test/cli/run.slow.test.ts',
]
const scenarios = ['kills', 'sigterm', 'postgres-restarts']
const root = resolve(import.meta.dirname, '../..')
const cut = process.argv.indexOf('--')
const chosen = cut < 0 ? [] : process.argv.slice(cut + 1)

if (!hasPgBouncer) console.log('pgbouncer is not on this machine: skipped')
else process.exitCode = (await runTests()) && (chosen.length > 0 || (await runChaos())) ? 0 : 1

async function runTests(): Promise<boolean> {
  await using standing = new AsyncDisposableStack()
  endOnSignal(new Set([standing]))
  const home = await mkdtemp(join(tmpdir(), 'vigia-pool-'))
  await chmod(home, 0o755)
  standing.defer(() => rm(home, { recursive: true, force: true }))
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '400' }
  const server = await startEmbedded({ home, settings })
  standing.defer(() => rm(dirname(server.data), { recursive: true, force: true }))
  standing.defer(() => server.release())
  const pool = standing.use(await startPgBouncer(server.url))
  const env = { SLOW: 'too', TEST_DATABASE_URL: server.url, TEST_POOL_URL: pool.through(server.url) }
  return await run(['node_modules/vitest/vitest.mjs', 'run', ...(chosen.length > 0 ? chosen : tests)], env)
}

async function runChaos(): Promise<boolean> {
  const only = scenarios.flatMap((name) => ['--only', name])
  return run(['test/chaos/run.ts', '--pool', '--seed', process.env.CHAOS_SEED ?? '1', ...only])
}

async function run(args: string[], env: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  const [code] = await once(child, 'exit')
  return code === 0
}
