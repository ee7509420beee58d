import { expect, test } from 'vitest'
import { closest } from '../../config/closest.ts'

const labels = ['worker', 'fleet', 'parameter', 'batch', 'batches']

test.each([
  ['wroker', 'worker'],
  ['Fleet', 'fleet'],
  ['param', 'parameter'],
  ['batchs', 'batch'],
])('%s most likely means %s', (text, meant) => expect(closest(text, labels)).toBe(meant))

test.each(['', 'x', 'colour', 'organization'])('"%s" means none of them', (text) => {
  expect(closest(text, labels)).toBeUndefined()
})
