import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  type AnalysisTerms,
  analysesSince,
  analysisTriggers,
  type FreeFigures,
  followsFigures,
  movedFigure,
} from '../../src/domain/sweep.ts'
import { type Random, seededRandom } from '../chaos/random.ts'

/**
 * A year of nights over a thousand radars, with the decisions of the product and a model of the rest.
 *
 * Assumed: a class of risk changes 1.5 times a year; seven changes in eight move a free figure, up to two nights later;
 * a free figure moves without any change of class once in two years.
 */
const nights = 365
const radars = 1_000
const dayMs = 86_400_000
const nightAt = (night: number) => Date.UTC(2026, 0, 1) + night * dayMs

type Life = { changes: number[]; moves: Map<number, (keyof FreeFigures)[]> }

/** What happens to a radar, whatever is bought. */
const live = (random: Random): Life => {
  const life: Life = { changes: [], moves: new Map() }
  const move = (night: number) => {
    const figure = random.pick(['processes', 'processes', 'totalRisk', 'totalAnalyzed'] as const)
    life.moves.set(night, [...(life.moves.get(night) ?? []), figure])
  }
  for (let night = 1; night < nights; night++) {
    if (random.next() < 1.5 / 365) {
      life.changes.push(night)
      if (random.next() < 7 / 8) move(night + random.between(0, 2))
    }
    if (random.next() < 0.5 / 365) move(night)
  }
  return life
}

type Watched = Life & { boughtOn: number | null; before: FreeFigures | null; now: FreeFigures; found: number }

/** How many units a year costs, and how many days each change stayed unseen; unseen ones are counted apart. */
const play = (lives: readonly Life[], terms: AnalysisTerms, perDay: number) => {
  const watched = lives.map(
    (life): Watched => ({
      ...life,
      boughtOn: null,
      before: null,
      now: { processes: 0, totalRisk: 0, totalAnalyzed: 0 },
      found: 0,
    }),
  )
  const delays: number[] = []
  let units = 0
  const buy = (radar: Watched, night: number) => {
    units++
    Object.assign(radar, { boughtOn: night, before: null })
    for (; radar.changes[radar.found]! <= night; radar.found++) delays.push(night - radar.changes[radar.found]!)
  }
  for (let night = 0; night < nights; night++) {
    const since = analysesSince(terms, new Date(nightAt(night)))?.getTime()
    let left = perDay
    const buyUpToBudget = (some: Watched[]) => {
      for (const radar of some.slice(0, left)) buy(radar, night)
      left -= Math.min(left, some.length)
    }
    for (const radar of watched)
      for (const figure of radar.moves.get(night) ?? []) radar.now = { ...radar.now, [figure]: radar.now[figure]! + 1 }
    buyUpToBudget(
      watched.filter(({ boughtOn }) => since !== undefined && (boughtOn === null || nightAt(boughtOn) <= since)),
    )
    const compared = watched.filter(({ boughtOn }) => boughtOn !== null && boughtOn < night)
    if (followsFigures(terms)) buyUpToBudget(compared.filter(({ before, now }) => before && movedFigure(before, now)))
    // The figures of the first night after a purchase are those that later nights are compared with.
    for (const radar of compared) if (radar.boughtOn! < night) radar.before ??= radar.now
  }
  const unseen = watched.reduce((sum, { changes, found }) => sum + changes.length - found, 0)
  delays.sort((a, b) => a - b)
  const share = (part: number) => delays[Math.floor((delays.length - 1) * part)]!
  return { units, seen: delays.length, unseen, median: share(0.5), late: share(0.95), most: delays.at(-1)! }
}

const random = seededRandom(38)
const lives = Array.from({ length: radars }, () => live(random))

const played = (perDay: number, analysisEvery: number) =>
  Object.fromEntries(
    analysisTriggers.map((analysisOn) => [analysisOn, play(lives, { analysisOn, analysisEvery }, perDay)]),
  ) as Record<(typeof analysisTriggers)[number], ReturnType<typeof play>>

const monthly = played(Number.POSITIVE_INFINITY, 30 * dayMs)
const quarterly = played(Number.POSITIVE_INFINITY, 90 * dayMs)

test('over a year, following free figures finds changes in days instead of weeks', () => {
  const { change, age, both } = monthly
  expect(age.median).toBeGreaterThan(10)
  expect(change.median).toBeLessThanOrEqual(2)
  expect(change.units).toBeLessThan(age.units / 3)
  expect(both.units).toBeLessThan(age.units * 1.15)
})

test('by median, 95 % and most, both together find changes no later than either alone, and miss no more', () => {
  const { change, age, both } = monthly
  for (const figure of ['median', 'late', 'most', 'unseen'] as const)
    expect([figure, both[figure]]).toEqual([figure, Math.min(both[figure], change[figure], age[figure])])
})

test('the docs have these figures', () => {
  const docs = readFileSync('docs/figures.md', 'utf8')
  const row = ({ units, seen, unseen, median, late, most }: ReturnType<typeof play>): string =>
    ` | ${units.toLocaleString('en')} | ${seen.toLocaleString('en')} | ${unseen} | ${median}, ${late}, ${most} |\n`
  for (const mode of [monthly.change, monthly.age, monthly.both, quarterly.both]) expect(docs).toContain(row(mode))
})

test('a longer age with `both` costs half and is still faster than age alone', () => {
  expect(quarterly.both.units).toBeLessThan(monthly.age.units / 2)
  expect(quarterly.both.median).toBeLessThan(monthly.age.median)
})

test('no mode passes the budget of a day', () => {
  const tight = played(40, 30 * dayMs)
  for (const { units } of Object.values(tight)) expect(units).toBeLessThanOrEqual(40 * nights)
  expect(tight.both.median).toBeLessThan(tight.age.median)
})
