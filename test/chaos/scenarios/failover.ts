import { setTimeout as pause } from 'node:timers/promises'
import { cpfs } from '../../support/documents.ts'
import type { Arena } from '../arena.ts'
import { charges, handIn, judgeForgetful, patientSettings, untilBought } from '../forgetful.ts'
import type { Random } from '../random.ts'
import type { Outcome, Scenario, ScenarioContext } from '../scenario.ts'
import { hasStandbys, type StandbyPair, startStandbyPair } from '../standby-pair.ts'

const early = 60
const late = 40

/**
 * The primary is killed and its standby promoted, while two workers buy. The address names both; nobody notifies them.
 *
 * An asynchronous standby is some commits behind: what it has lost is not bought again. A synchronous one loses nothing.
 */
export const failover: Scenario = {
  name: 'failover',
  size: '2 failovers over 200 documents, and 1 without a loss; full: 20 over 2,000, and 5',
  async run(context) {
    if (!hasStandbys) return { problems: [], figures: {}, skipped: "Debian's postgresql is not on this machine" }
    const behind = await playBehind(context, context.full ? 20 : 2)
    const problems = [...behind.problems]
    const synchronous = context.full ? 5 : 1
    for (let moment = 0; moment < synchronous; moment++) problems.push(...(await playSynchronous(context)))
    return { figures: { ...behind.figures, 'without a loss': synchronous }, problems }
  },
}

const latency = { latency: { all: { ms: 60, jitter: 40 } } }

/** The list that is read after each failover grows to 2,000 purchases: a busy machine takes a while to send it. */
const config = { ...patientSettings, request: { timeout: '2s', retries: 2 } }

const playBehind = async ({ open, random }: ScenarioContext, moments: number): Promise<Outcome> => {
  await using pair = await startStandbyPair({ synchronous: false })
  await using arena = await open({ server: pair, config, scenario: latency })
  await arena.fleet.startMany(2)
  let forgotten = 0
  for (let moment = 0; moment < moments; moment++) {
    if (moment > 0) await pair.makeStandby()
    forgotten += await failOver(arena, pair, random, moment)
  }
  const { figures, problems } = await judgeForgetful(arena)
  return { figures: { moments, forgotten, ...figures }, problems }
}

/** How many purchases were made that the standby has no record of. */
const failOver = async (arena: Arena, pair: StandbyPair, random: Random, moment: number): Promise<number> => {
  const first = moment * (early + late)
  await handIn(arena, () => arena.submit(cpfs(early, first)))
  await untilBought(arena, first + random.between(3, early - 10))
  await pair.fallBehind()
  const forgotten = await handIn(arena, () => arena.submit(cpfs(late, first + early)))
  const before = await charges(arena)
  await untilBought(arena, Math.min(before + random.between(5, 60), first + early + late))
  await pair.killPrimary()
  const bought = (await charges(arena)) - before
  await pause(random.between(0, 2_000))
  await pair.promote()
  arena.submitted.splice(arena.submitted.indexOf(forgotten), 1)
  await handIn(arena, () => arena.submitAgain(forgotten))
  await arena.finished(180_000)
  return bought
}

/** Whatever could be read before the primary died is still there, and the files continue without a new submission. */
const playSynchronous = async ({ open, random }: ScenarioContext): Promise<string[]> => {
  await using pair = await startStandbyPair({ synchronous: true })
  await using arena = await open({ server: pair, config, scenario: latency })
  await arena.fleet.startMany(2)
  await arena.submit(cpfs(early + late))
  await untilBought(arena, random.between(3, early + late - 10))
  const known = await knownPurchases(arena)
  await pair.killPrimary()
  await pair.promote()
  const lost: string[] = []
  await arena.until(async () => {
    const kept = new Set(await knownPurchases(arena))
    lost.push(...known.filter((id) => !kept.has(id)))
    return true
  })
  await arena.finished(180_000)
  const { problems } = await judgeForgetful(arena)
  return [...problems, ...(lost.length > 0 ? [`a synchronous standby lost ${lost.length} purchases`] : [])]
}

const knownPurchases = async ({ sql }: Arena): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`select remote_id as id from vigia.lookup where remote_id is not null`
  return rows.map(({ id }) => id)
}
