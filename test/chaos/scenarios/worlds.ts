import { setTimeout as pause } from 'node:timers/promises'
import { hasLicence } from '../../../src/sandbox/data/people.ts'
import { cpfs } from '../../support/documents.ts'
import type { Arena } from '../arena.ts'
import { listLagMs, purchaseSettings } from '../purchase-settings.ts'
import { type Random, seededRandom } from '../random.ts'
import type { FaultState, Scenario } from '../scenario.ts'
import { judgeWorld, type Verdict } from '../worlds/judge-world.ts'
import { type DrawnWorld, randomWorld, singleWorlds } from '../worlds/random-world.ts'
import { hiddenByLength } from '../worlds/twin-world.ts'

const documents = cpfs(54)
const premise = { documents, strangers: cpfs(12, 900_000), listLagMs }
/** Sixty rows, six of them repeated; licences of some of them who have one; later some of the same people, and two more. */
const rows = [...documents, ...documents.slice(24, 30)]
const licences = (seed: number) => documents.filter((document) => hasLicence(document, seed)).slice(26, 38)
const rowsLater = [...documents.slice(4, 14), ...cpfs(2, 700)]

const requestTimeoutMs = 500
const config = {
  ...purchaseSettings,
  concurrency: { worker: 6, fleet: 12 },
  request: { timeout: `${requestTimeoutMs}ms`, retries: 2 },
}

/** Long enough for a busy machine; rows that may end without an answer are asked for until then, and hold up the rest. */
const pollingOf = ({ clouded }: DrawnWorld) => ({
  first: '50ms',
  max: '200ms',
  deadline: clouded.length > 0 ? '75s' : '3m',
})

/**
 * Registries that settle everything the interface leaves open in ways of their own, each with lost answers and a kill.
 *
 * Nothing is lost and nothing bought twice in any of them, and rows are parked only where the registry hides the truth.
 */
export const worlds: Scenario = {
  name: 'worlds',
  size: '20 worlds of 84 rows, a kill in each; full: 300, among them each trait alone',
  async run(stage) {
    const drawn = stage.full ? singleWorlds(premise) : []
    const count = stage.full ? 300 : 20
    for (let n = 0; drawn.length < count; n++) drawn.push(randomWorld(stage.seed * 1_000 + n, premise))
    const figures = { worlds: drawn.length, charges: 0, documents: 0, parked: 0, hidden: 0, broken: 0 }
    const problems: string[] = []
    await sideBySide(drawn, async (world, n) => {
      const verdict = await playWorld(stage, world, seededRandom(stage.seed + n))
      figures.charges += verdict.charges
      figures.documents += verdict.documents
      figures.parked += verdict.parked
      figures.hidden += verdict.hidden
      if (verdict.problems.length === 0) return
      figures.broken++
      const problem = `world ${n} (${world.traits.join('; ') || 'plain'}): ${formatMessage(verdict)}`
      problems.push(problem)
      if (stage.full) console.log(`     so far: ${problem}`)
    })
    return { figures, problems }
  },
}

/** Most of a world's time passes while somebody waits to be sure that the killed worker is dead. */
const sideBySide = async (all: DrawnWorld[], play: (world: DrawnWorld, n: number) => Promise<void>): Promise<void> => {
  const waiting = [...all.entries()]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await play(next[1], next[0])
  }
  await Promise.all(Array.from({ length: 3 }, lane))
}

const formatMessage = ({ charges, documents, parked, problems }: Verdict): string =>
  `${charges} charges of ${documents} documents, ${parked} parked: ${problems.join('; ')}`

/** One world from its first row to its verdict; one that never ends is a verdict too. */
export const playWorld = async ({ open, seed }: FaultState, world: DrawnWorld, random: Random): Promise<Verdict> => {
  await using arena = await open({ scenario: world.scenario, config: { ...config, polling: pollingOf(world) } })
  try {
    await arena.fleet.startMany(1)
    await arena.submit(rows)
    await arena.submit(licences(seed), { kind: 'cnh' })
    await killAmong(arena, random)
    await arena.finished(240_000)
    const hidden = await hiddenByLength(arena, world)
    await arena.submit(rowsLater)
    await arena.finished(240_000)
    return await judgeWorld(arena, world, new Set([...hidden, ...(await hiddenByLength(arena, world))]))
  } catch (error) {
    const { charges } = await arena.sandbox.summary()
    return { charges: charges.total, documents: 0, parked: 0, hidden: 0, problems: [(error as Error).message] }
  }
}

/** SIGKILL somewhere among the purchases, and another worker in its place. */
const killAmong = async ({ fleet, sandbox }: Arena, random: Random): Promise<void> => {
  const moment = random.between(8, 45)
  const patient = performance.now() + 15_000
  while ((await sandbox.summary()).counts.generate < moment && performance.now() < patient) await pause(5)
  await fleet.killOne(random)
  await fleet.startMany(1)
}
