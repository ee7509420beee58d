import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { createBound } from '../../src/registry/bound.ts'
import { NotSent, TooManyRequests } from '../../src/registry/errors.ts'

/** Requests that end when the test ends them. */
const requests = () => {
  const ends: ((failure?: Error) => void)[] = []
  const request = () =>
    new Promise<void>((resolve, reject) => ends.push((failure) => (failure ? reject(failure) : resolve())))
  return { request, ends, endOne: (failure?: Error) => ends.shift()?.(failure) }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a ceiling of 0 sends nothing, and a higher one resumes', async () => {
  const bound = createBound({ ceiling: 0 })
  const { request, ends, endOne } = requests()
  const call = bound.run(request)
  await turn()
  expect(ends).toHaveLength(0)

  bound.ceiling = 1
  await turn()
  expect(bound.open).toBe(1)
  endOne()
  await call
})

test('many 429s of one round halve the limit once; a round of answers gives one back', async () => {
  const bound = createBound({ ceiling: 16 })
  const { request, endOne } = requests()
  const calls = Array.from({ length: 16 }, () => bound.run(request).catch(() => {}))
  for (let n = 0; n < 16; n++) endOne(new TooManyRequests('GET /'))
  await Promise.all(calls)
  expect(bound.size).toBe(8)

  for (let n = 0; n < 9; n++) await bound.run(async () => {})
  expect(bound.size).toBe(9)
  for (let n = 0; n < 200; n++) await bound.run(async () => {})
  expect(bound.size).toBe(16)
})

test('the limit never falls below one', async () => {
  const bound = createBound({ ceiling: 4 })
  for (let n = 0; n < 10; n++) {
    await bound.run(() => Promise.reject(new TooManyRequests('GET /'))).catch(() => {})
  }
  expect(bound.size).toBe(1)
})

test('a request that is given up while it waits is never sent', async () => {
  const bound = createBound({ ceiling: 1 })
  const { request, ends, endOne } = requests()
  const stop = new AbortController()
  const first = bound.run(request)
  const second = bound.run(request, stop.signal)
  stop.abort()
  await expect(second).rejects.toThrow(NotSent)
  endOne()
  await first
  await turn()
  expect(ends).toHaveLength(0)
})

const step = fc.oneof(
  fc.record({ ceiling: fc.integer({ min: 0, max: 8 }) }),
  fc.record({ calls: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ ends: fc.integer({ min: 1, max: 12 }), refused: fc.boolean() }),
)

property.prop([fc.array(step, { maxLength: 40 })])(
  'nothing is sent beyond the current ceiling, and everything is sent in the end',
  async (steps) => {
    const bound = createBound({ ceiling: 4 })
    const { ends } = requests()
    const over: number[] = []
    const all: Promise<unknown>[] = []
    const request = () => {
      if (bound.open > bound.ceiling) over.push(bound.open)
      return new Promise<void>((resolve, reject) => ends.push((failure) => (failure ? reject(failure) : resolve())))
    }
    for (const now of steps) {
      if ('ceiling' in now) bound.ceiling = now.ceiling
      if ('calls' in now) for (let n = 0; n < now.calls; n++) all.push(bound.run(request).catch(() => {}))
      if ('ends' in now)
        for (let n = 0; n < now.ends; n++) ends.shift()?.(now.refused ? new TooManyRequests('') : undefined)
      await turn()
    }
    bound.ceiling = 8
    let left = all.length + 1
    while (left-- > 0) {
      for (const end of ends.splice(0)) end()
      await turn()
    }
    await Promise.all(all)
    expect(over).toEqual([])
    expect(bound.open).toBe(0)
  },
)

test('a share that is not current keeps back what has not left, until it is renewed', async () => {
  const bound = createBound({ ceiling: 2 })
  let isCurrent = false
  bound.isCurrent = () => isCurrent
  let left = 0
  const request = bound.run(async () => void left++)
  await Promise.resolve()
  expect([bound.size, left]).toEqual([0, 0])

  isCurrent = true
  bound.ceiling = 2
  await request
  expect(left).toBe(1)
})
