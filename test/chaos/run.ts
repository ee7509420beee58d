import { parseArgs } from 'node:util'
import { endOnSignal } from '../support/end-on-signal.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { type Arena, openArena } from './arena.ts'
import { startPostgres } from './postgres-server.ts'
import { seededRandom } from './random.ts'
import type { Outcome, Scenario, ScenarioContext } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string', multiple: true },
    full: { type: 'boolean' },
    list: { type: 'boolean' },
    pool: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
})
const help = `npm run chaos -- [options]

  --seed N      repeat the run with this seed; random by default
  --only NAME   only this scenario; may be repeated
  --full        full size, with the longest scenarios too: about two hours, alone on the machine
  --pool        the workers connect through PgBouncer in transaction mode
  --list        list the scenarios, and run none`
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
const full = values.full === true
const chosen = scenarios.filter(({ name, fullOnly }) => values.only?.includes(name) ?? (full || !fullOnly))
const unknown = values.only?.filter((name) => !scenarios.some((scenario) => scenario.name === name)) ?? []

if (!Number.isSafeInteger(seed)) refuse(`${values.seed} is not a seed: expected a whole number`)
if (unknown.length > 0) {
  refuse(`Unknown scenario ${unknown.join(', ')}. Known scenarios: ${scenarios.map(({ name }) => name).join(', ')}`)
}
if (values.help) console.log(help)
else if (values.list) for (const { name, size } of chosen) console.log(`${name.padEnd(20)}${size}`)
else process.exitCode = (await runAll()) ? 0 : 1

function refuse(why: string): never {
  console.error(why)
  process.exit(2)
}

async function runAll(): Promise<boolean> {
  const began = performance.now()
  await using server = await startPostgres()
  const standing = new Set<AsyncDisposable>([server])
  await using pool = values.pool ? await startPgBouncer(server.url) : null
  if (pool) standing.add(pool)
  endOnSignal(standing)
  const counts = { passed: 0, failed: 0, skipped: 0 }
  console.log(
    `chaos with seed ${seed}${full ? ', full' : ''}${values.pool ? ', through a pool' : ''}: ${chosen.length} scenarios`,
  )
  for (const scenario of chosen) {
    const random = seededRandom(seed)
    const arenas: Arena[] = []
    const open: ScenarioContext['open'] = async (options) => {
      const workersReach = pool ? async (url: string) => pool.through(url) : undefined
      const arena = await openArena({ workersReach, server, ...options, seed })
      standing.add(arena)
      arenas.push(arena)
      return arena
    }
    counts[await runOne(scenario, { seed, random, full, server, open }, arenas)]++
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  console.log(`${counts.passed} passed, ${counts.failed} failed${skipped} in ${minutes} min`)
  return counts.failed === 0
}

async function runOne(
  { name, run }: Scenario,
  context: ScenarioContext,
  arenas: Arena[],
): Promise<'passed' | 'failed' | 'skipped'> {
  const began = performance.now()
  const outcome = withHealth(await run(context).catch(failure), arenas)
  const text = outcome.skipped ? 'skip' : outcome.problems.length === 0 ? 'ok' : 'FAIL'
  const figures =
    outcome.skipped ??
    Object.entries(outcome.figures)
      .map(([what, n]) => `${n} ${what}`)
      .join(', ')
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  console.log(`${text.padEnd(5)}${name.padEnd(20)}${figures} (${seconds} s)`)
  if (outcome.skipped) return 'skipped'
  if (outcome.problems.length === 0) return 'passed'
  for (const problem of outcome.problems) console.log(`     ${problem}`)
  console.log(`     again: npm run chaos -- --seed ${context.seed} --only ${name}${context.full ? ' --full' : ''}`)
  return 'failed'
}

/** Whatever a scenario breaks, its workers must keep answering people. */
function withHealth(outcome: Outcome, arenas: Arena[]): Outcome {
  const healths = arenas.map(({ fleet }) => fleet.health)
  const unanswered = healths.reduce((sum, health) => sum + health.unanswered, 0)
  const asked = healths.reduce((sum, health) => sum + health.asked, 0)
  const problems =
    unanswered > 0
      ? [`workers left ${unanswered} s unanswered`, ...healths.flatMap(({ silences }) => silences).slice(0, 3)]
      : []
  return {
    ...outcome,
    figures: { ...outcome.figures, [`of ${asked} s unanswered`]: unanswered },
    problems: [...outcome.problems, ...problems],
  }
}

function failure(error: unknown): Outcome {
  if (!(error instanceof Error)) return { problems: [String(error)], figures: {} }
  const cause = error.cause instanceof Error ? [error.cause.stack ?? error.cause.message] : []
  return { problems: [...cause, error.stack ?? error.message], figures: {} }
}
