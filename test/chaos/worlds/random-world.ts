import type { ScenarioPatch } from '../../../src/sandbox/scenario.ts'
import type { WorldPatch } from '../../../src/sandbox/world.ts'
import { type Random, seededRandom } from '../random.ts'
import { aspects, type Option, type Premise } from './aspects.ts'

/** A possible registry: how it behaves, and what nobody could find out about it. */
export type DrawnWorld = {
  /** How it differs from the sandbox's own world, as text. */
  traits: string[]
  scenario: ScenarioPatch
  /** Why a row may be parked; empty if the registry shows all that is needed. */
  hides: string[]
  /** Its list does not say whether it shows everything, so that the last calls may be parked. */
  isUndeclared: boolean
  /** Documents that may also end without an answer. */
  clouded: string[]
  /** Documents that the organization has already, according to its list: to be adopted, not bought. */
  elsewhere: string[]
}

/** Draws a world: each aspect that the interface leaves open has the sandbox's option, or by chance another. */
export const randomWorld = (seed: number, premise: Premise): DrawnWorld => {
  const random = seededRandom(seed)
  const drawn = Object.values(aspects).flatMap((aspect) => (random.next() < 0.4 ? [random.pick(aspect(premise))] : []))
  return worldOf(drawn, random)
}

/** Every option alone in an otherwise plain world; the plain world first. */
export const singleWorlds = (premise: Premise): DrawnWorld[] => {
  const options = Object.values(aspects).flatMap((aspect) => aspect(premise))
  return [[], ...options.map((option) => [option])].map((drawn, i) => worldOf(drawn, seededRandom(i)))
}

const worldOf = (drawn: Option[], random: Random): DrawnWorld => ({
  traits: drawn.map(({ name }) => name),
  scenario: {
    world: drawn.reduce<WorldPatch>((world, option) => join(world, option.world), {}),
    faults: [...drawn.flatMap(({ faults = [] }) => faults), ...lostAnswers(random)],
    latency: { all: { ms: 16, jitter: 12 } },
  },
  hides: drawn.flatMap(({ hides = [] }) => hides),
  isUndeclared: drawn.some(({ isUndeclared = false }) => isUndeclared),
  clouded: drawn.flatMap(({ clouds = [] }) => clouds),
  elsewhere: drawn.some(({ hides, blurs }) => hides || blurs) ? [] : drawn.flatMap(({ elsewhere = [] }) => elsewhere),
})

const join = (one: WorldPatch, other: WorldPatch): WorldPatch => ({
  ...one,
  ...other,
  dates: { ...one.dates, ...other.dates },
  list: { ...one.list, ...other.list },
  others: [...(one.others ?? []), ...(other.others ?? [])],
})

/** In every world the answers of some purchases are lost, and some calls are lost before they are processed. */
const lostAnswers = (random: Random): NonNullable<ScenarioPatch['faults']> => {
  const [first, second, third] = [random.between(2, 6), random.between(9, 14), random.between(17, 24)]
  const rare = { operation: 'generate' as const, share: 0.03 }
  return [
    { operation: 'generate', fault: random.pick(['closedAfter', 'serverErrorAfter', 'cut']), nth: first },
    { operation: 'generate', fault: random.pick(['closedBefore', 'hangBefore']), nth: second },
    { operation: 'generate', fault: 'hang', nth: third },
    { operation: 'cnhCreate', fault: random.pick(['closedAfter', 'hang']), nth: random.between(1, 5) },
    { operation: 'cnhCreate', fault: random.pick(['closedBefore', 'hangBefore']), nth: random.between(6, 10) },
    { ...rare, fault: 'closedAfter' },
    { ...rare, fault: 'closedBefore' },
    { ...rare, fault: 'hang' },
    { ...rare, fault: 'hangBefore' },
  ]
}
