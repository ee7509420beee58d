import { expect, test } from 'vitest'
import { NotSent, Outage, Unanswered } from '../../src/registry/errors.ts'
import { createBreakers } from '../../src/registry/turnstile.ts'

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
