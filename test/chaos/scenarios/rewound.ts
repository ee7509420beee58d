import { setTimeout as pause } from 'node:timers/promises'
import { cpfs } from '../../support/documents.ts'
import type { Arena, Submitted } from '../arena.ts'
import { readBooks } from '../books.ts'
import { checkFiles } from '../check-files.ts'
import { checkPrivacy } from '../check-privacy.ts'
import type { PostgresServer } from '../postgres-server.ts'
import { purchaseSettings } from '../purchase-settings.ts'
import type { Random } from '../random.ts'
import type { Outcome, Scenario } from '../scenario.ts'

const early = 60
const late = 40
const config = {
  ...purchaseSettings,
  concurrency: { worker: 6, fleet: 12 },
  polling: { first: '50ms', max: '400ms', deadline: '5m' },
  request: { timeout: '700ms', retries: 2 },
}

/**
 * The database is replaced by an older copy, by turns while workers run and while they are down.
 *
 * It forgets what was bought since the copy, and a whole file, which is handed in again. The registry remembers: in the
 * end it has sold each document once, and every row has come back.
 */
export const rewound: Scenario = {
  name: 'rewound',
  size: '3 moments over 300 documents; full: 20 over 2,000',
  async run({ open, random, full, server }) {
    const moments = full ? 20 : 3
    await using arena = await open({ config, scenario: { latency: { all: { ms: 60, jitter: 40 } } } })
    await arena.fleet.startMany(2)
    const told: string[] = []
    for (let moment = 0; moment < moments; moment++) told.push(await rewindOnce(arena, server, random, moment))
    const { figures, problems } = await judge(arena)
    return { figures: { moments, ...figures }, problems: problems.length > 0 ? [...problems, ...told] : [] }
  },
}

const rewindOnce = async (arena: Arena, server: PostgresServer, random: Random, moment: number): Promise<string> => {
  const { fleet } = arena
  const isDown = moment % 2 === 1
  const first = moment * (early + late)
  await handIn(arena, () => arena.submit(cpfs(early, first)))
  await untilBought(arena, first + random.between(3, early - 10))
  const copy = await server.copy()
  const forgotten = await handIn(arena, () => arena.submit(cpfs(late, first + early)))
  const before = await charges(arena)
  await untilBought(arena, Math.min(before + random.between(5, 60), first + early + late))
  if (isDown) for (const worker of [...fleet.alive]) await fleet.kill(worker)
  const bought = (await charges(arena)) - before
  await server.rewind(copy)
  arena.submitted.splice(arena.submitted.indexOf(forgotten), 1)
  await handIn(arena, () => arena.submitAgain(forgotten))
  if (isDown) await fleet.startMany(2)
  await arena.finished(180_000)
  const extra = (await charges(arena)) - first - early - late
  return `moment ${moment + 1}, workers ${isDown ? 'down' : 'running'}: ${bought} purchases forgotten, ${extra} charges too many so far`
}

/** A connection that the crash has cut is only found out by using it. */
const handIn = async ({ until }: Arena, submit: () => Promise<Submitted>): Promise<Submitted> => {
  let submitted: Submitted | undefined
  await until(async () => {
    submitted = await submit()
    return true
  }, 30_000)
  return submitted!
}

const charges = async ({ sandbox }: Arena): Promise<number> => (await sandbox.summary()).charges.total

/** Lets the run go on for a while; where it does not come so far, the moment is as good as any. */
const untilBought = async (arena: Arena, wanted: number): Promise<void> => {
  const patient = performance.now() + 20_000
  while ((await charges(arena)) < wanted && performance.now() < patient) await pause(10)
}

const judge = async (arena: Arena): Promise<Outcome> => {
  const { units } = await arena.sandbox.evidence()
  const books = await readBooks(arena.sql)
  const files = await checkFiles(arena)
  const documents = new Set(arena.submitted.flatMap((submitted) => submitted.documents)).size
  const bought = new Set(units.map(({ document }) => document)).size
  const bad = Object.keys(books.states).filter((state) => state !== 'ok' && state !== 'unknown_outcome')
  return {
    figures: { documents, charges: units.length, twice: units.length - bought, lost: files.lost, parked: books.parked },
    problems: [
      ...(units.length === documents && bought === documents
        ? []
        : [`${units.length} charges for ${documents} documents`]),
      ...(bad.length > 0 ? [`look-ups ended as ${bad.join(', ')}`, ...books.stories] : []),
      ...(books.open > 0 ? [`${books.open} look-ups never ended`] : []),
      ...files.problems,
      ...(await checkPrivacy(arena)),
      ...arena.fleet.fallen,
    ],
  }
}
