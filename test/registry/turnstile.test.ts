import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { createAdmission } from '../../src/registry/admission.ts'
import { createBound } from '../../src/registry/bound.ts'
import { NotSent, Outage, TooManyRequests, Unanswered } from '../../src/registry/errors.ts'
import { createBreakers } from '../../src/registry/turnstile.ts'

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

const { signal } = new AbortController()

test('admits twice as many look-ups as requests may be open, in groups of at least half a bound', async () => {
  const { admit } = createAdmission({ size: 64 })
  const [first, second] = [await admit(500, signal), await admit(500, signal)]
  expect([first.count, second.count]).toEqual([64, 64])
  const places = Array.from({ length: 64 }, () => first.hand())
  const giveBack = (count: number) => {
    for (const place of places.splice(0, count)) place[Symbol.dispose]()
  }
  let granted = 0
  const next = admit(500, signal).then(({ count }) => {
    granted = count
  })
  giveBack(31)
  await new Promise(setImmediate)
  expect(granted).toBe(0)
  giveBack(14)
  await next
  expect(granted).toBe(45)
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

const silence = () => new Unanswered(['call_no_answer', 'GET /x', ['ms_passed', 1]])
const fails = async () => silence()

const inOutage = async (firstTrialMs: number) => {
  const breaker = createBreakers({ after: 2, firstTrialMs, lastTrialMs: 60_000 })('scr')
  for (let i = 0; i < 2; i++) await expect(breaker.run('GET /x', fails)).rejects.toBeInstanceOf(Unanswered)
  return breaker
}

test('while an outage is tried, one attempt goes and the others wait for it', async () => {
  const breaker = await inOutage(0)
  const trial = Promise.withResolvers<string>()
  let made = 0
  const others = [1, 2, 3].map(() =>
    breaker.run('GET /x', () => (made++ === 0 ? trial.promise : Promise.resolve('later'))),
  )
  await Promise.resolve()
  expect(made).toBe(1)
  trial.resolve('first')
  expect(await Promise.all(others)).toEqual(['first', 'later', 'later'])
})

test('after a trial that fails the next attempt waits its turn, and before the first trial nothing is sent', async () => {
  const breaker = await inOutage(0)
  const tried = await Promise.allSettled([breaker.run('GET /x', fails), breaker.run('GET /x', async () => 'sent')])
  expect(tried.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])

  const slow = await inOutage(60_000)
  await expect(slow.run('GET /x', async () => 'sent')).rejects.toBeInstanceOf(Outage)
})

test('a trial that we keep back ourselves says nothing: the outage stands, and the next attempt tries it', async () => {
  const breaker = await inOutage(0)
  const keptBack = new NotSent('GET /x', ['lane_held'], { keptBack: true })
  await expect(breaker.run('GET /x', () => Promise.reject(keptBack))).rejects.toBe(keptBack)
  await expect(breaker.run('GET /x', fails)).rejects.toBeInstanceOf(Unanswered)
  expect(await breaker.run('GET /x', async () => 'sent')).toBe('sent')
})

test('an attempt on its own goes during an outage: its failure is no sign of one, its answer ends it', async () => {
  const breaker = await inOutage(60_000)
  await expect(breaker.run('GET /x', fails, true)).rejects.toBeInstanceOf(Unanswered)
  await expect(breaker.run('GET /x', async () => 'sent')).rejects.toBeInstanceOf(Outage)
  expect(await breaker.run('GET /x', async () => 'sent', true)).toBe('sent')
  expect(await breaker.run('GET /x', async () => 'sent')).toBe('sent')
})
