import { expect, test } from 'vitest'
import { closest } from '../../config/closest.ts'

const candidates = ['worker', 'fleet', 'parameter', 'batch', 'batches']

test.each([
  ['wroker', 'worker'],
  ['Fleet', 'fleet'],
  ['param', 'parameter'],
  ['batchs', 'batch'],
])('%s most likely means %s', (text, meant) => expect(closest(text, candidates)).toBe(meant))

test.each(['', 'x', 'colour', 'organization'])('"%s" means none of them', (text) => {
  expect(closest(text, candidates)).toBeUndefined()
})
