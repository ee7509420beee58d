import { dateText } from './data/clock-text.ts'
import type { Registry } from './registry.ts'
import { type DateShape, zoneHours } from './world.ts'

const dayMs = 86_400_000

/**
 * A moment as this world writes it, `own` being the shape that the interface shows for the field.
 *
 * A world may write a number, or nothing at all, where the interface has a text; the type keeps to the interface.
 */
export function moment(registry: Registry, at: number, own: DateShape): string {
  const { shape, zone, clockMs } = registry.scenario.world.dates
  return dateText(at + clockMs, shape === 'own' ? own : shape, zoneHours[zone] * 3_600_000) as string
}

/** The same where the interface has epoch milliseconds; a world that writes days alone cuts them to the day. */
export function epoch(registry: Registry, at: number): number {
  const { shape, zone, clockMs } = registry.scenario.world.dates
  if (shape === 'none') return undefined as unknown as number
  if (shape !== 'day' && shape !== 'brazilianDay') return at + clockMs
  const offsetMs = zoneHours[zone] * 3_600_000
  return Math.floor((at + clockMs + offsetMs) / dayMs) * dayMs - offsetMs
}

/** The `createdAt` of an answer, which may be odd in ways of its own. */
export function answerMoment(registry: Registry, at: number, own: DateShape): string {
  const { createdAt, ageDays } = registry.scenario.world.answers
  const told = at - ageDays * dayMs
  if (createdAt === 'own') return moment(registry, told, own)
  return oddities[createdAt](told) as string
}

const oddities = {
  microseconds: (at: number): unknown => at * 1_000,
  zero: (): unknown => '01/01/0000 00:00:00',
  missing: (): unknown => undefined,
  null: (): unknown => null,
}
