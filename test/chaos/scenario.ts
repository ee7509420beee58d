import type { Arena, ArenaOptions } from './arena.ts'
import type { Findings } from './checker.ts'
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
