import { setTimeout as pause } from 'node:timers/promises'
import { hasLicence } from '../../../src/sandbox/data/people.ts'
import { cpfs } from '../../support/documents.ts'
import type { Arena } from '../arena.ts'
import { type Random, seededRandom } from '../random.ts'
import type { Scenario, ScenarioContext } from '../scenario.ts'
import { judgeWorld, type Verdict } from '../worlds/judge-world.ts'
import { type DrawnWorld, randomWorld, singleWorlds } from '../worlds/random-world.ts'

/** The lag of the registry's list in these worlds. */
const listLagMs = 2_000
const documents = cpfs(54)
const premise = { documents, strangers: cpfs(12, 900_000), listLagMs }
/** Sixty rows, six of them repeated; licences of some who have one; later some of the same people, and two more. */
const rows = [...documents, ...documents.slice(24, 30)]
const licences = (seed: number) => documents.filter((document) => hasLicence(document, seed)).slice(26, 38)
const rowsLater = [...documents.slice(4, 14), ...cpfs(2, 700)]

const config = {
  purchases: { listLag: `${listLagMs}ms` },
  concurrency: { worker: 6, fleet: 12 },
  request: { timeout: '500ms', retries: 2 },
}

/** Long enough for a busy machine; rows that may end without an answer are polled until then, and delay the rest. */
const pollingOf = ({ clouded }: DrawnWorld) => ({
  first: '50ms',
  max: '200ms',
  deadline: clouded.length > 0 ? '75s' : '3m',
})

/**
 * Registries that decide everything the interface leaves open in other ways, each with lost answers and a kill.
 *
 * Nothing is lost and nothing bought twice in any of them, and rows are parked only where the registry hides the truth, or
 * does not say whether its list shows everything.
 */
export const worlds: Scenario = {
  name: 'worlds',
  size: '20 worlds of 84 rows, a kill in each; full: 300, among them each trait alone',
  async run(context) {
    const drawn = context.full ? singleWorlds(premise) : []
    const count = context.full ? 300 : 20
    for (let n = 0; drawn.length < count; n++) drawn.push(randomWorld(context.seed * 1_000 + n, premise))
    const figures = { worlds: drawn.length, charges: 0, documents: 0, parked: 0, broken: 0 }
    const problems: string[] = []
    await sideBySide(drawn, async (world, n) => {
      const verdict = await playWorld(context, world, seededRandom(context.seed + n))
      figures.charges += verdict.charges
      figures.documents += verdict.documents
      figures.parked += verdict.parked
      if (verdict.problems.length === 0) return
      figures.broken++
      const problem = `world ${n} (${world.traits.join('; ') || 'plain'}): ${formatVerdict(verdict)}`
      problems.push(problem)
      if (context.full) console.log(`     so far: ${problem}`)
    })
    return { figures, problems }
  },
}

/** Most of a world's time passes until it is certain that the killed worker is dead. */
const sideBySide = async (all: DrawnWorld[], play: (world: DrawnWorld, n: number) => Promise<void>): Promise<void> => {
  const waiting = [...all.entries()]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await play(next[1], next[0])
  }
  await Promise.all(Array.from({ length: 3 }, lane))
}

const formatVerdict = ({ charges, documents, parked, problems }: Verdict): string =>
  `${charges} charges of ${documents} documents, ${parked} parked: ${problems.join('; ')}`

/** One world from its first row to its verdict; not finishing is a verdict too. */
export const playWorld = async (
  { open, seed }: ScenarioContext,
  world: DrawnWorld,
  random: Random,
): Promise<Verdict> => {
  await using arena = await open({ scenario: world.scenario, config: { ...config, polling: pollingOf(world) } })
  try {
    await arena.fleet.startMany(1)
    await arena.submit(rows)
    await arena.submit(licences(seed), { kind: 'cnh' })
    await killAmong(arena, random)
    await arena.finished(240_000)
    await arena.submit(rowsLater)
    await arena.finished(240_000)
    return await judgeWorld(arena, world)
  } catch (error) {
    const { charges } = await arena.sandbox.summary()
    return { charges: charges.total, documents: 0, parked: 0, problems: [(error as Error).message] }
  }
}

/** SIGKILL during the purchases, and another worker in its place. */
const killAmong = async ({ fleet, sandbox }: Arena, random: Random): Promise<void> => {
  const moment = random.between(8, 45)
  const patient = performance.now() + 15_000
  while ((await sandbox.summary()).counts.generate < moment && performance.now() < patient) await pause(5)
  await fleet.killOne(random)
  await fleet.startMany(1)
}
