import { share } from './data/hash.ts'
import type { SandboxInternals } from './registry.ts'
import { type DateShape, zoneHours } from './world.ts'

const dayMs = 86_400_000

/**
 * A moment as this world writes it, `own` being the shape that the interface shows for the field.
 *
 * A world may write a number, or nothing, where the interface has a text; the type follows the interface.
 */
export const momentText = (registry: SandboxInternals, at: number, own: DateShape): string => {
  const { shape, zone } = registry.scenario.world.dates
  return dateText(asClocked(registry, at), shape === 'own' ? own : shape, zoneHours[zone] * 3_600_000) as string
}

/** The same where the interface has epoch milliseconds; a world that writes only days cuts them to the day. */
export const epoch = (registry: SandboxInternals, at: number): number => {
  const { shape, zone } = registry.scenario.world.dates
  if (shape === 'none') return undefined as unknown as number
  const shown = asClocked(registry, at)
  if (shape !== 'day' && shape !== 'brazilianDay') return shown
  const offsetMs = zoneHours[zone] * 3_600_000
  return Math.floor((shown + offsetMs) / dayMs) * dayMs - offsetMs
}

/** The time that the clock of this world showed at a moment. */
const asClocked = ({ scenario, seed }: SandboxInternals, at: number): number => {
  const { clockMs, apartMs } = scenario.world.dates
  if (apartMs === 0) return at + clockMs
  return at + clockMs + (Math.floor(share(`clock ${at}`, seed) * 3) - 1) * apartMs
}

/** The `createdAt` of an answer, which a world may date differently. */
export const answerMoment = (registry: SandboxInternals, at: number, own: DateShape): string => {
  const { createdAt, ageDays } = registry.scenario.world.answers
  const shown = at - ageDays * dayMs
  if (createdAt === 'own') return momentText(registry, shown, own)
  return oddities[createdAt](shown) as string
}

const oddities = {
  microseconds: (at: number): unknown => at * 1_000,
  zero: (): unknown => '01/01/0000 00:00:00',
  missing: (): unknown => undefined,
  null: (): unknown => null,
}

/** A moment in one of the shapes that occur; `offsetMs` is the time zone of the writer's clock. */
export const dateText = (at: number, shape: DateShape, offsetMs: number): string | number | undefined => {
  if (shape === 'none') return undefined
  if (shape === 'zero') return 0
  if (shape === 'startOfEpoch') return '31/12/1969 21:00:00'
  if (shape === 'epoch') return at
  if (shape === 'epochSeconds') return Math.floor(at / 1_000)
  if (shape === 'zoned') return isoDateTime(at)
  const local = isoDateTime(at + offsetMs)
  if (shape === 'zoneless') return local.slice(0, 19)
  if (shape === 'day') return local.slice(0, 10)
  const [first, second] = shape === 'monthFirst' ? [5, 8] : [8, 5]
  const day = `${local.slice(first, first + 2)}/${local.slice(second, second + 2)}/${local.slice(0, 4)}`
  return shape === 'brazilianDay' ? day : `${day} ${local.slice(11, 19)}`
}

/** ISO 8601 with zone. Many answers share a millisecond, and this text is the costliest part of a small one. */
const isoDateTime = (at: number): string => {
  if (at !== latest.at) latest = { at, text: new Date(at).toISOString() }
  return latest.text
}

let latest = { at: Number.NaN, text: '' }
