import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Batch, readBatch } from '../../src/store/batches/batches.ts'
import { listSweeps, type Sweep } from '../../src/store/radars/sweeps.ts'
import { seededRandom } from '../chaos/random.ts'
import { type Installed, install } from '../cli/vigia-process.ts'
import { compileCache } from '../support/compile-cache.ts'
import { until } from '../support/until.ts'
import { liveMonths, month } from './live-months.ts'

/** Every second month has a kill: at any moment, or at one where the run is between two of its steps. */
const moments = ['any', 'submitted', 'answered', 'reported'] as const
type Moment = (typeof moments)[number]

test('differences give the next report even if the worker is killed in every second month, and nothing is bought twice', async () => {
  let ahead = Date.parse('2026-01-05T12:00:00Z') - Date.now()
  const clock = () => new Date(Date.now() + ahead)
  await using t = await install({}, { now: () => clock().getTime() })
  const random = seededRandom(7)
  let months = 0
  let kills = 0

  const run = async (affordable: number | null): Promise<Sweep> => {
    await setBudget(t, affordable)
    months++
    if (months % 2 === 0) {
      await using worker = await startWorker(t, ahead)
      const moment = moments[(months / 2) % moments.length]!
      if (moment === 'any') await pause(random.between(0, 1_500))
      else await until(() => hasCome(t, months, moment))
      worker.child.kill('SIGKILL')
      if ((await newest(t))?.finishedAt === null) kills++
    }
    await using _worker = await startWorker(t, ahead)
    return await until(async () => {
      const sweep = await newest(t, months)
      return sweep?.finishedAt ? sweep : null
    })
  }
  const turn = () => {
    ahead += month
  }
  await liveMonths({ ...t, clock, turn, run })

  expect(kills, 'kills while a run was under way').toBeGreaterThanOrEqual(6)
  const [paid] = await t.sql<{ lookups: number }[]>`
    select count(*)::int as lookups from vigia.lookup where charged = 'yes'`
  expect(t.sandbox.charges()).toBe(paid!.lookups)
}, 1_200_000)

const setBudget = async ({ env }: Installed, perBatch: number | null): Promise<void> => {
  const file = env.VIGIA_CONFIG!
  const config = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...config, budget: { perBatch } }))
}

const startWorker = async (t: Installed, ahead: number): Promise<AsyncDisposable & { child: ChildProcess }> => {
  const env = { ...t.env, PATH: process.env.PATH, AHEAD_MS: String(ahead), LOG_LEVEL: 'error' }
  const program = join(import.meta.dirname, 'run-process.ts')
  const child = spawn(process.execPath, [program], {
    env: { ...env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  await Promise.race([
    once(child.stdout!, 'data'),
    gone.then(() => Promise.reject(new Error('The worker ended before it was ready'))),
  ])
  return {
    child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** The run of the newest month, once there is one. */
const newest = async ({ sql }: Installed, count = 0): Promise<Sweep | undefined> => {
  const sweeps = await listSweeps(sql, { name: 'portfolio', limit: 99 })
  return sweeps.length >= count ? sweeps[0] : undefined
}

const hasCome = async (t: Installed, months: number, moment: Exclude<Moment, 'any'>): Promise<boolean> => {
  const sweep = await newest(t, months)
  const [row] = await t.sql<{ batchId: bigint }[]>`
    select batch_id from vigia.sweep where id = ${sweep?.id ?? null} and batch_id is not null`
  const batch = row ? await readBatch(t.sql, row.batchId) : null
  return batch !== null && batch !== undefined && passed[moment](batch)
}

const passed: Record<Exclude<Moment, 'any'>, (batch: Batch) => boolean> = {
  submitted: () => true,
  answered: ({ finishedAt }) => finishedAt !== null,
  reported: ({ exportedAt }) => exportedAt !== null,
}
