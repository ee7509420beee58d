import { expect, test } from 'vitest'
import { createAdmission } from '../../src/registry/admission.ts'

const { signal } = new AbortController()

test('admits twice as many look-ups as requests may be open, in groups of half a bound', async () => {
  const { admit } = createAdmission({ size: 64 })
  const counts = await Promise.all([1, 2, 3, 4].map(async () => (await admit(500, signal)).count))
  expect(counts).toEqual([32, 32, 32, 32])
})

test('grants a small bound all at once', async () => {
  const { admit } = createAdmission({ size: 8 })
  expect((await admit(500, signal)).count).toBe(8)
})

test('a look-up with "first" goes before others that wait, and after earlier ones with "first"', async () => {
  const { admit } = createAdmission({ size: 1 })
  using one = await admit(1, signal)
  using two = await admit(1, signal)
  const order: string[] = []
  const wait = async (name: string, first: boolean) => {
    using places = await admit(1, signal, { first })
    order.push(`${name} ${places.count}`)
  }
  const all = [wait('large', false), wait('small', true), wait('another small', true)]
  one[Symbol.dispose]()
  await Promise.all(all)
  expect(order).toEqual(['small 1', 'another small 1', 'large 1'])
  expect(two.count).toBe(1)
})

test('unused places are returned, and a signal ends the wait', async () => {
  const { admit } = createAdmission({ size: 1 })
  for (let n = 0; n < 5; n++) {
    using places = await admit(1, signal)
    expect(places.count).toBe(1)
  }
  using _one = await admit(1, signal)
  using _two = await admit(1, signal)
  const stop = new AbortController()
  const waiting = admit(1, stop.signal)
  stop.abort()
  expect((await waiting).count).toBe(0)
})
