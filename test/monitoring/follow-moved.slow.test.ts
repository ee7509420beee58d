import { expect, test } from 'vitest'
import { previewSweep } from '../../src/monitoring/preview-sweep.ts'
import { listChanges } from '../../src/views/change.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { environmentOf, type Setup, setup } from '../support/setup.ts'
import { sweepRadars } from './sweep.ts'

const on = (analysisOn: string, more: object = {}) => ({
  config: { radarSweep: { refresh: 'processes', analysisEvery: '30d', analysisOn }, ...more },
})

/** Two nights: the second has the figures that later nights are compared with. */
const settle = async (t: Setup, codes: string[]) => {
  for (const code of codes) {
    t.sandbox.plantRadar({ code })
    t.sandbox.plantChange(code, { processes: 5, figures: { RISK_WORKER: { count: 0, cents: 0 } } })
  }
  await sweepRadars(t)
  await sweepRadars(t)
}

const worsen = (t: Setup, code: string, free: object) =>
  t.sandbox.plantChange(code, { figures: { RISK_WORKER: { count: 2, cents: 5_000 } }, ...free })

test.each([
  ['processes', { processes: 6 }],
  ['totalRisk', { totals: { risk: 1, analyzed: 0 } }],
  ['totalAnalyzed', { totals: { risk: 0, analyzed: 3 } }],
])('a radar whose %s moved gets a new analysis the same night, and only once', async (figure, free) => {
  await using t = await setup(on('both'))
  const [moved, same] = cpfs(2) as [string, string]
  await settle(t, [moved, same])
  worsen(t, moved, free)
  worsen(t, same, {})

  const night = await sweepRadars(t)

  expect(night).toMatchObject({ due: 2, verified: 2, detail: { moved: { [figure]: 1 } } })
  expect([t.sandbox.charges(moved), t.sandbox.charges(same)]).toEqual([2, 1])
  const changed = await listChanges(t.sql, { limit: 9 })
  expect(changed.find(({ field }) => field === 'RISK_WORKER_count')).toMatchObject({ document: moved, verdict: 'new' })
  await sweepRadars(t)
  await sweepRadars(t)
  expect(t.sandbox.charges()).toBe(3)
})

test('what the list shows because of the purchase itself buys nothing', async () => {
  await using t = await setup(on('both'))
  await settle(t, [cpf(1)])
  t.sandbox.plantChange(cpf(1), { processes: 6 })
  await sweepRadars(t)
  t.sandbox.plantChange(cpf(1), { processes: 7, totals: { risk: 4, analyzed: 9 } })
  await sweepRadars(t)
  await sweepRadars(t)
  expect(t.sandbox.charges()).toBe(2)
})

test('by age alone nothing is bought for a figure that moved, and without an age nothing at all', async () => {
  await using t = await setup(on('age'))
  await settle(t, [cpf(1)])
  worsen(t, cpf(1), { processes: 6 })
  expect(await sweepRadars(t)).toMatchObject({ detail: { moved: {} } })
  expect(t.sandbox.charges()).toBe(1)

  await using free = await setup({ config: { radarSweep: { refresh: 'processes', analysisEvery: null } } })
  await settle(free, [cpf(1)])
  worsen(free, cpf(1), { processes: 6 })
  await sweepRadars(free)
  expect(free.sandbox.charges()).toBe(0)
})

test('by change alone a missing analysis is bought, and an old one is not', async () => {
  await using t = await setup({
    config: { radarSweep: { refresh: 'none', analysisEvery: '1ms', analysisOn: 'change' } },
  })
  await settle(t, [cpf(1)])
  await sweepRadars(t)
  expect(t.sandbox.charges()).toBe(1)
  worsen(t, cpf(1), { totals: { risk: 1, analyzed: 1 } })
  await sweepRadars(t)
  expect(t.sandbox.charges()).toBe(2)
})

test('a list that does not show everything moves nothing, and one that fails does not stop the night', async () => {
  await using t = await setup(on('both'))
  await settle(t, cpfs(3))
  for (const code of cpfs(3)) worsen(t, code, { totals: { risk: 1, analyzed: 1 } })
  t.sandbox.setScenario({ activities: { limit: 1 } })
  expect(await sweepRadars(t)).toMatchObject({ verified: 3, detail: { moved: {} } })
  t.sandbox.setScenario({ activities: { limit: null }, faults: [{ operation: 'activities', fault: 'serverError' }] })
  expect(await sweepRadars(t, { list: 0 })).toMatchObject({ verified: 3, detail: { moved: {} } })
  expect(t.sandbox.charges()).toBe(3)
})

test('a dry run quotes radars that moved, and those that may; the night stays inside the budget of the day', async () => {
  await using t = await setup(on('both', { budget: { perDay: 6 } }))
  const codes = cpfs(4)
  await settle(t, codes)
  for (const code of codes.slice(0, 3)) worsen(t, code, { totals: { risk: 1, analyzed: 1 } })
  const preview = await previewSweep(t.tools, 'radars')
  expect(preview).toMatchObject({
    analysesToBuy: 2,
    organizations: [{ analysesDue: 0, analysesMoved: 3, analysesIfMoved: 1 }],
  })
  const shown = await call(['sweep', 'radars', '--dry-run'], environmentOf(t.sandbox, t.databaseUrl, t.home))
  expect(shown.stdout).toContain('0 missing or too old, 3 with moved figures, 1 only if theirs move')

  const night = await sweepRadars(t, { window: 10_000 })

  expect(t.sandbox.charges()).toBe(6)
  expect(night).toMatchObject({ due: 4, verified: 3, detail: { moved: { totalRisk: 3 } } })
})
