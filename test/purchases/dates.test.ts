import { expect, test } from 'vitest'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const dayMs = 86_400_000

/** How many days ago a day is that reads as another one, long past, if day and month are exchanged. */
const ageOfUnknownDay = (): number => {
  for (let ageMs = dayMs; ageMs < 29 * dayMs; ageMs += dayMs) {
    const [, month, day] = new Date(Date.now() - ageMs - 3 * 3_600_000)
      .toISOString()
      .slice(0, 10)
      .split('-')
      .map(Number)
    if (day! <= 12 && Math.abs(day! - month!) > 1) return ageMs
  }
  throw new Error('no such day')
}

/** How each of these is read, and which other dates are none, is tested with `parseMoment`. */
test.each(['zero', 'monthFirst'] as const)(
  'adopts what the organization bought elsewhere if the list dates by %s',
  async (shape) => {
    const others = [{ documents: cpfs(5), ageMs: shape === 'monthFirst' ? ageOfUnknownDay() : dayMs }]
    await using t = await setup({ sandbox: { scenario: { world: { others, dates: { shape } } } } })
    const batch = await t.finished(await t.submit(csvOf(cpfs(5))))

    expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 5 })
    expect(t.sandbox.charges()).toBe(0)
  },
)

test('adopts what the organization bought elsewhere if the list dates our own purchases long before we made them', async () => {
  const ours = cpfs(3)
  const theirs = [cpf(11), cpf(12)]
  const dates = { clockMs: -200 * dayMs }
  await using t = await setup({
    config: { purchases: { listLag: '1ms', maxAge: '1ms' } },
    sandbox: { scenario: { world: { dates } } },
  })
  await t.finished(await t.submit(csvOf(ours)))
  for (const document of theirs) t.sandbox.alreadyGenerated(document)
  const charges = t.sandbox.charges()
  const batch = await t.finished(await t.submit(csvOf(theirs)))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 2 })
  expect(t.sandbox.charges()).toBe(charges)
})

test('a purchase that was deleted after it was adopted is not owned: its document is bought when it is asked for again', async () => {
  const document = cpf(1)
  await using t = await setup({
    config: { polling: { first: '20ms', max: '200ms', deadline: '2s' }, purchases: { listLag: '1ms', maxAge: '1ms' } },
    sandbox: { scenario: { readyAfterMs: 3_600_000 } },
  })
  t.sandbox.alreadyGenerated(document)
  const first = await t.submit(csvOf([document]))
  await until(async () => (await statesOf(t.sql, first)).waiting === 1)
  t.sandbox.deleteAnalyses(document)
  await t.finished(first)
  const charges = t.sandbox.charges()
  t.sandbox.setScenario({ readyAfterMs: 0 })
  // The list is read before the next file is quoted and bought for: it shows the deletion.
  await t.finished(await t.submit(csvOf([cpf(2)])))
  const second = await t.finished(await t.submit(csvOf([document, cpf(3)])))

  expect(await statesOf(t.sql, second.id)).toEqual({ ok: 2 })
  expect(t.sandbox.charges() - charges).toBe(3)
})
