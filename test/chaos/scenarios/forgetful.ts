import { setTimeout as pause } from 'node:timers/promises'
import { cpfs } from '../../support/documents.ts'
import type { Arena, Submitted } from '../arena.ts'
import { checkFiles } from '../check-files.ts'
import { checkPrivacy } from '../check-privacy.ts'
import { readLedger } from '../purchase-ledger.ts'
import type { Random } from '../random.ts'
import { latency, type Outcome, type Scenario, type ScenarioContext } from '../scenario.ts'
import { hasStandbys, startStandbyPair } from '../standby-pair.ts'

// The database loses its latest commits. The registry remembers: in the end it has sold each document once.

const early = 60
const late = 40
/** Paid lanes wait for everything that was under way when commits were lost; in a scenario, for a short time. */
const config = {
  purchases: { listLag: '2s' },
  concurrency: { worker: 6, fleet: 12 },
  polling: { first: '50ms', max: '400ms', deadline: '5m' },
  request: { timeout: '700ms', retries: 2 },
}

/** The database is replaced by an older copy, alternately while workers run and while they are down. */
export const rewound: Scenario = {
  name: 'rewound',
  size: '3 restored copies over 300 documents; full: 20 over 2,000',
  async run({ open, random, full, server }) {
    const moments = full ? 20 : 3
    await using arena = await open({ config, scenario: latency(60, 40) })
    const { fleet } = arena
    await fleet.startMany(2)
    const shown: string[] = []
    for (let moment = 0; moment < moments; moment++) {
      const isDown = moment % 2 === 1
      let copy = ''
      const bought = await forgetOnce(arena, random, moment, {
        async remember() {
          copy = await server.copy()
        },
        async stop() {
          if (isDown) for (const worker of [...fleet.alive]) await fleet.kill(worker)
        },
        forget: () => server.rewind(copy),
        async resume() {
          if (isDown) await fleet.startMany(2)
        },
      })
      const extra = (await charges(arena)) - (moment + 1) * (early + late)
      const workers = isDown ? 'down' : 'running'
      shown.push(
        `moment ${moment + 1}, workers ${workers}: ${bought} purchases forgotten, ${extra} charges too many so far`,
      )
    }
    const { figures, problems } = await judge(arena)
    return { figures: { moments, ...figures }, problems: problems.length > 0 ? [...problems, ...shown] : [] }
  },
}

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

/** The list that is read after each failover grows to 2,000 purchases: a busy machine takes a while to send it. */
const patient = { ...config, request: { timeout: '2s', retries: 2 } }

const playBehind = async ({ open, random }: ScenarioContext, moments: number): Promise<Outcome> => {
  await using pair = await startStandbyPair({ synchronous: false })
  await using arena = await open({ server: pair, config: patient, scenario: latency(60, 40) })
  await arena.fleet.startMany(2)
  let forgotten = 0
  for (let moment = 0; moment < moments; moment++) {
    if (moment > 0) await pair.makeStandby()
    forgotten += await forgetOnce(arena, random, moment, {
      remember: pair.fallBehind,
      stop: pair.killPrimary,
      async forget() {
        await pause(random.between(0, 2_000))
        await pair.promote()
      },
    })
  }
  const { figures, problems } = await judge(arena)
  return { figures: { moments, forgotten, ...figures }, problems }
}

/** Whatever could be read before the primary died is still there, and the files continue without a new submission. */
const playSynchronous = async ({ open, random }: ScenarioContext): Promise<string[]> => {
  await using pair = await startStandbyPair({ synchronous: true })
  await using arena = await open({ server: pair, config: patient, scenario: latency(60, 40) })
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
  const { problems } = await judge(arena)
  return [...problems, ...(lost.length > 0 ? [`a synchronous standby lost ${lost.length} purchases`] : [])]
}

const knownPurchases = async ({ sql }: Arena): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`select remote_id as id from vigia.lookup where remote_id is not null`
  return rows.map(({ id }) => id)
}

type Loss = Record<'remember' | 'stop' | 'forget', () => Promise<void>> & { resume?(): Promise<void> }

/**
 * Two files: during the first the database is remembered, during the second everything since then is forgotten, the file
 * too, which is submitted again. Returns how many purchases the database has no record of.
 */
const forgetOnce = async (arena: Arena, random: Random, moment: number, loss: Loss): Promise<number> => {
  const first = moment * (early + late)
  await handIn(arena, () => arena.submit(cpfs(early, first)))
  await untilBought(arena, first + random.between(3, early - 10))
  await loss.remember()
  const forgotten = await handIn(arena, () => arena.submit(cpfs(late, first + early)))
  const before = await charges(arena)
  await untilBought(arena, Math.min(before + random.between(5, 60), first + early + late))
  await loss.stop()
  const bought = (await charges(arena)) - before
  await loss.forget()
  arena.submitted.splice(arena.submitted.indexOf(forgotten), 1)
  await handIn(arena, () => arena.submitAgain(forgotten))
  await loss.resume?.()
  await arena.finished(180_000)
  return bought
}

/** A connection that the crash has cut is detected only by using it. */
const handIn = async ({ until }: Arena, submit: () => Promise<Submitted>): Promise<Submitted> => {
  let submitted: Submitted | undefined
  await until(async () => {
    submitted = await submit()
    return true
  }, 30_000)
  return submitted!
}

const charges = async ({ sandbox }: Arena): Promise<number> => (await sandbox.summary()).charges.total

/** Waits for the run to make some progress; if it does not get that far, any moment will do. */
const untilBought = async (arena: Arena, wanted: number): Promise<void> => {
  const patient = performance.now() + 20_000
  while ((await charges(arena)) < wanted && performance.now() < patient) await pause(10)
}

/** The registry has sold each document once, and every row has been reported. */
const judge = async (arena: Arena): Promise<Outcome> => {
  const { units } = await arena.sandbox.evidence()
  const records = await readLedger(arena.sql)
  const files = await checkFiles(arena)
  const documents = new Set(arena.submitted.flatMap((submitted) => submitted.documents)).size
  const bought = new Set(units.map(({ document }) => document)).size
  const bad = Object.keys(records.states).filter((state) => state !== 'ok' && state !== 'unknown_outcome')
  const figures = { documents, charges: units.length, twice: units.length - bought, lost: files.lost }
  return {
    figures: { ...figures, parked: records.parked },
    problems: [
      ...(units.length === documents && bought === documents
        ? []
        : [`${units.length} charges for ${documents} documents`]),
      ...(bad.length > 0 ? [`look-ups ended as ${bad.join(', ')}`, ...records.histories] : []),
      ...(records.open > 0 ? [`${records.open} look-ups never ended`] : []),
      ...files.problems,
      ...(await checkPrivacy(arena)),
      ...arena.fleet.fallen,
    ],
  }
}
