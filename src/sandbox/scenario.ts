import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { faultRule } from './fault-rule.ts'
import { operationNames } from './operations.ts'
import { world } from './world.ts'

const milliseconds = z.number().nonnegative()

/** A fixed time, or a time plus or minus a jitter. */
const latency = z.union([milliseconds, z.strictObject({ ms: milliseconds, jitter: milliseconds.default(0) })])

const plan = z.strictObject({
  /** How many units may be charged before the plan answers PLAN_NOT_ALLOWED. */
  units: z.int().nonnegative().nullable().default(null),
  /** Operations that the plan does not include. */
  excludes: z.array(z.enum(operationNames)).default([]),
})

const token = z.strictObject({
  expiresAfterCalls: z.int().positive().nullable().default(null),
  expiresAfterMs: z.int().positive().nullable().default(null),
  /** Tokens are JWTs whose `exp` shows when they expire. */
  jwt: z.boolean().default(false),
  refuseRefresh: z.boolean().default(false),
})

const activities = z.strictObject({
  /** Cuts the list; `total` is still right unless `totalLies`. */
  limit: z.int().nonnegative().nullable().default(null),
  keep: z.enum(['newest', 'oldest']).default('newest'),
  totalLies: z.boolean().default(false),
  /** Analyses younger than this are not listed yet, and not counted in `total` either. */
  lagMs: milliseconds.default(0),
})

const outage = z.strictObject({
  /** Answers 503 to everything, or closes every connection without an answer. */
  how: z.enum(['unavailable', 'closed']).default('unavailable'),
  forMs: milliseconds.nullable().default(null),
})

/** When a search of its own ends: with its analysis, so long after it was bought, or never. */
const search = z.union([z.enum(['with_analysis', 'never']), z.strictObject({ afterMs: milliseconds })])

/** Everything about a sandbox that can be changed while it runs. An unknown key is refused by its name. */
export const scenarioSchema = z.strictObject({
  /** How long an analysis, a CNH request or an SCR query takes. */
  readyAfterMs: milliseconds.optional(),
  /** The searches that an analysis may be ready without. (Interface 3.2) */
  searches: z
    .strictObject({
      protest: search.default('with_analysis'),
      debtor: search.default('with_analysis'),
      qsa: search.default('with_analysis'),
    })
    .prefault({}),
  latency: z.partialRecord(z.enum(['all', ...operationNames]), latency).default({}),
  faults: z.array(faultRule).default([]),
  token: token.prefault({}),
  plans: z.record(z.string().regex(/^\d+$/, 'a plan id'), plan).default({}),
  deniedOrganizations: z.array(z.int()).default([]),
  activities: activities.prefault({}),
  radars: z.strictObject({ limit: z.int().nonnegative().nullable().default(null) }).prefault({}),
  outage: outage.nullable().default(null),
  /** The share of documents whose data changes with each simulated day. */
  changeShare: z.number().min(0).max(1).default(0.02),
  /** The latest CNH (4.3) answers 404 for a finished request that found no licence, as if it had never been requested. */
  hidesAbsentCnh: z.boolean().default(false),
  /** It answers 404 for a request that has not finished, too. */
  hidesPendingCnh: z.boolean().default(false),
  /** Both look-ups of a CNH answer 404 for a request that was accepted less than this long ago. (Interface 4.2, 4.3) */
  hidesNewCnhMs: milliseconds.default(0),
  /** Errors are sent with HTTP 200, and only their body shows them, as the interface shows no codes. (Interface 7) */
  alwaysOk: z.boolean().default(false),
  /** How this registry decides what the interface leaves open; a new value replaces all of it. */
  world: world.prefault({}),
})

export type Scenario = z.output<typeof scenarioSchema>
export type ScenarioPatch = z.input<typeof scenarioSchema>

/** Applies a patch to a scenario: the patch replaces each key that it names. */
export const changeScenario = (scenario: Scenario, patch: unknown): Scenario => ({ ...scenario, ...namedKeys(patch) })

export const calmScenario: Scenario = scenarioSchema.parse({})

/** The keys that a patch names, validated, without the defaults of the others. */
const namedKeys = (patch: unknown): Partial<Scenario> => {
  const checked = scenarioSchema.safeParse(patch)
  if (!checked.success) throw new ScenarioError(z.prettifyError(checked.error))
  const named = Object.keys(patch as object)
  return Object.fromEntries(Object.entries(checked.data).filter(([key]) => named.includes(key)))
}

export class ScenarioError extends Error {
  constructor(reasons: string) {
    super(`The scenario cannot be used:\n${reasons}`)
    this.name = 'ScenarioError'
  }
}

const shelf = join(import.meta.dirname, 'scenarios')

/** The scenarios that come with the sandbox. */
export const presetNames = (): string[] =>
  readdirSync(shelf)
    .map((file) => basename(file, '.json'))
    .sort()

/** Reads a scenario: the name of one that comes with the sandbox, or a JSON file. */
export const loadScenario = (nameOrFile: string): ScenarioPatch => {
  const preset = join(shelf, `${nameOrFile}.json`)
  const file = presetNames().includes(nameOrFile) ? preset : nameOrFile
  if (!existsSync(file)) throw new ScenarioError(`${nameOrFile} is not a file or one of ${presetNames().join(', ')}`)
  const patch = parse(readFileSync(file, 'utf8'), file)
  changeScenario(calmScenario, patch)
  return patch
}

const parse = (text: string, file: string): ScenarioPatch => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ScenarioError(`${file} is not JSON: ${(error as Error).message}`)
  }
}
