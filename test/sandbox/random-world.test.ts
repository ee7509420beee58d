import { expect, test } from 'vitest'
import { calmScenario, changeScenario } from '../../src/sandbox/scenario.ts'
import { aspects } from '../chaos/worlds/aspects.ts'
import { randomWorld, singleWorlds } from '../chaos/worlds/random-world.ts'
import { cpfs } from '../support/documents.ts'

const premise = { documents: cpfs(60), strangers: cpfs(70).slice(60), listLagMs: 2_000 }
const draws = Array.from({ length: 300 }, (_, seed) => randomWorld(seed, premise))

test('the same seed draws the same world, and another seed another one', () => {
  expect(randomWorld(7, premise)).toEqual(draws[7])
  expect(new Set(draws.map(({ traits }) => traits.join())).size).toBeGreaterThan(290)
})

test('three hundred draws cover each option of each aspect, and the sandbox can run them all', () => {
  const drawn = new Set(draws.flatMap(({ traits }) => traits))
  const possible = Object.values(aspects).flatMap((aspect) => aspect(premise).map(({ name }) => name))
  expect(possible.filter((name) => !drawn.has(name))).toEqual([])
  for (const { scenario } of [...draws, ...singleWorlds(premise)])
    expect(() => changeScenario(calmScenario, scenario)).not.toThrow()
})

test('a world declares that it hides purchases if a list cannot show all, lags, or shows purchases of others', () => {
  for (const { scenario, hides, clouded } of draws) {
    const { list } = changeScenario(calmScenario, scenario).world
    const isCut = list.page !== null && list.page < premise.documents.length
    const isConfused = list.foreign === 'unmarked' && clouded.length > 0
    expect(hides.length > 0).toBe(isCut || list.lagMs > premise.listLagMs || isConfused)
  }
  const open = draws.filter(({ hides }) => hides.length === 0).length
  expect(open).toBeGreaterThan(100)
  expect(open).toBeLessThan(250)
})

test('purchases of others are expected to be adopted only where the list shows them and their age', () => {
  const shown = draws.filter(({ elsewhere }) => elsewhere.length > 0)
  expect(shown.length).toBeGreaterThan(5)
  for (const { traits, hides } of shown) {
    expect(traits).toContain('others bought ours 2 days ago')
    expect([...hides, ...traits.filter((trait) => /none|undated/.test(trait))]).toEqual([])
  }
})
