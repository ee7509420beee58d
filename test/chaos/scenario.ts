import { setTimeout as pause } from 'node:timers/promises'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { cpfs } from '../support/documents.ts'
import type { Arena, ArenaOptions } from './arena.ts'
import { check, type Findings } from './checker.ts'
import type { PostgresServer } from './postgres-server.ts'
import type { Random } from './random.ts'

/** What a scenario receives: a repeatable random source, its extent, and its environment. */
export type ScenarioContext = {
  seed: number
  random: Random
  full: boolean
  server: PostgresServer
  /** On the server of the run, unless the scenario has its own. */
  open(options?: Omit<ArenaOptions, 'server' | 'seed'> & Partial<Pick<ArenaOptions, 'server'>>): Promise<Arena>
}

export type Outcome = { problems: string[]; figures: Record<string, number | string>; skipped?: string }

/** One way of breaking things, and what must still hold. */
export type Scenario = {
  name: string
  /** How much is broken, for `--list`, and how much more under `--full`. */
  size: string
  /** Too long for every change; only `--full` runs it. */
  fullOnly?: boolean
  run(context: ScenarioContext): Promise<Outcome>
}

/** The figures and problems of a scenario, together with those of the checker. */
export const outcomeOf = (
  findings: Findings,
  figures: Record<string, number | string> = {},
  problems: (string | false)[] = [],
): Outcome => ({
  figures: { ...findings.figures, ...figures },
  problems: [...findings.problems, ...problems.filter((problem) => problem !== false)],
})

/** Every look-up must end well, or in one of the states that the scenario expects. */
export const unlessOk = ({ records }: Findings, expected: string[] = []): string[] => {
  const bad = Object.entries(records.states).filter(([state]) => state !== 'ok' && !expected.includes(state))
  if (bad.length === 0) return []
  return [`look-ups ended as ${bad.map(([state, n]) => `${state} (${n})`).join(', ')}`, ...records.histories]
}

/** What most scenarios are: one file for some workers, something that goes wrong meanwhile, and the look-ups in the end. */
type Course = ArenaOptionsOfRun & {
  workers: number
  documents: number
  /** Returns figures for the line of the scenario. */
  meanwhile?(arena: Arena): Promise<Record<string, number>>
  finishedWithinMs?: number
  /** States besides `ok` in which a look-up may end. */
  mayEnd?: string[]
  judge?(findings: Findings, arena: Arena): Promise<Verdict> | Verdict
}

type ArenaOptionsOfRun = Omit<ArenaOptions, 'server' | 'seed'>
type Verdict = { figures?: Record<string, number>; problems: (string | false)[] }

export const play = async ({ open }: ScenarioContext, course: Course): Promise<Outcome> => {
  const { workers, documents, meanwhile, finishedWithinMs, mayEnd, judge, ...options } = course
  await using arena = await open(options)
  await arena.fleet.startMany(workers)
  await arena.submit(cpfs(documents))
  const seen = (await meanwhile?.(arena)) ?? {}
  await arena.finished(finishedWithinMs)
  const findings = await check(arena)
  const { figures, problems } = (await judge?.(findings, arena)) ?? { problems: [] }
  return outcomeOf(findings, { ...seen, ...figures }, [...unlessOk(findings, mayEnd), ...problems])
}

/** Each document is to be bought once. */
export const unlessCharged = ({ figures: { charges } }: Findings, documents: number): string | false =>
  charges !== documents && `${charges} charges for ${documents} documents`

/** The registry answers after some time, and after a longer or shorter one. */
export const latency = (ms: number, jitter: number): ScenarioPatch => ({ latency: { all: { ms, jitter } } })

/** Kills some worker and starts another, again and again. */
export const killSome = async ({ fleet }: Arena, random: Random, kills: number, [least, most] = [50, 900]) => {
  for (let killed = 0; killed < kills; killed++) {
    await pause(random.between(least!, most!))
    await fleet.killOne(random)
    await fleet.start()
  }
}

const rare = { operation: 'all' as const, share: 0.05 / 7 }

/** Together one call in twenty: before the work, after it, and where the caller cannot know which. */
export const mixedFaults: ScenarioPatch['faults'] = [
  ...(['closedBefore', 'closedAfter', 'hang', 'serverErrorAfter', 'serverError', 'rateLimited'] as const).map(
    (fault) => ({ ...rare, fault }),
  ),
  { ...rare, fault: 'html', worked: true },
]
