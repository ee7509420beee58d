import { expect, test } from 'vitest'
import { closest } from '../../config/closest.ts'

const words = ['worker', 'fleet', 'parameter', 'batch', 'batches']

test.each([
  ['wroker', 'worker'],
  ['Fleet', 'fleet'],
  ['param', 'parameter'],
  ['batchs', 'batch'],
])('%s most likely means %s', (word, meant) => expect(closest(word, words)).toBe(meant))

test.each(['', 'x', 'colour', 'organization'])('"%s" means none of them', (word) => {
  expect(closest(word, words)).toBeUndefined()
})
