import fc from 'fast-check'
import { expect, test } from 'vitest'
import { earlierId, keptTerms, keptText, restOf } from '../../src/registry/loose.ts'

const none: ReadonlySet<string> = new Set()

test('what has no place of its own is kept as it was sent, and what is empty is not kept', () => {
  const sent = { named: 'x', text: 'y', zero: 0, no: false, list: [1], empty: '', nothing: null, items: [], keys: {} }
  expect(restOf(sent, new Set(['named']))).toEqual({ text: 'y', zero: 0, no: false, list: [1] })
})

test('nothing is kept where everything has its place', () => {
  expect([restOf({ a: 1 }, new Set(['a'])), restOf(null, none), restOf([1], none)]).toEqual([null, null, null])
})

test('the rest is bounded, and names what was left out', () => {
  expect(restOf({ long: 'x'.repeat(20_000), short: 'y' }, none)).toEqual({ short: 'y', leftOut: ['long'] })
  const deep = JSON.parse(`${'['.repeat(5_000)}1${']'.repeat(5_000)}`)
  expect(restOf({ deep, short: 'y' }, none)).toEqual({ short: 'y', leftOut: ['deep'] })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (sent) => {
      expect(JSON.stringify(restOf(sent, none)).length).toBeLessThan(20_000)
    }),
  )
})

test('texts are trimmed and bounded, terms are one line each, and zero names no purchase', () => {
  expect([keptText('  a '), keptText(' '), keptText(7), keptText({})]).toEqual(['a', null, '7', null])
  expect(keptText('x'.repeat(900))).toHaveLength(500)
  expect(keptTerms(['a\n b', '', null, 3, {}])).toEqual(['a b', '3'])
  expect(keptTerms('penhora')).toEqual([])
  expect([earlierId(0), earlierId('000'), earlierId(null), earlierId('12')]).toEqual([null, null, null, '12'])
})
