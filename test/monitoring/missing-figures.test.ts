import { expect, test } from 'vitest'
import { classifications } from '../../src/domain/classifications.ts'
import type { PlantedRisk } from '../../src/sandbox/data/risk.ts'
import { listChanges } from '../../src/views/change.ts'
import { addList, run, setupAhead } from '../portfolios/runs.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { sweepRadars } from './sweep.ts'

const none = Object.fromEntries(classifications.map((key) => [key, { count: 0, cents: 0 }]))
const worker = (count: number) => ({ ...none, RISK_WORKER: { count, cents: count * 100_00 } })

test('each figure of a radar is compared with its own last known value, over nights on which it was missing', async () => {
  const rules = [
    { name: 'more', when: 'count_grows', classes: ['RISK_WORKER', 'RISK_CRIMINAL'], by: 1 },
    { name: 'appears', when: 'appears', classes: ['RISK_WORKER', 'RISK_CRIMINAL'] },
  ]
  await using t = await setup({ config: { rules, radarSweep: { refresh: 'processes', analysisEvery: '1ms' } } })
  for (const code of cpfs(4)) t.sandbox.plantRadar({ code })
  const night = async (planted: PlantedRisk) => {
    t.sandbox.plantChange(cpf(0), { missing: [], entries: {}, ...planted })
    const sweep = await sweepRadars(t)
    expect(sweep).toMatchObject({ state: 'done', due: 4, verified: 4 })
    const changes = await listChanges(t.sql, { sweepId: sweep.id, limit: 9 })
    return changes.map(({ field, verdict, before, after, rules: met }) => [field, verdict, before, after, met.length])
  }
  expect(await night({ figures: worker(2), missing: ['RISK_CRIMINAL'] })).toEqual([])
  expect(await night({ missing: ['RISK_WORKER'] })).toEqual([])
  expect(await night({ entries: { RISK_WORKER: { vltotalProcess: null, totalProcess: 2 } } })).toEqual([])
  expect(await night({ figures: worker(3) })).toEqual([
    ['RISK_WORKER_count', 'worse', '2', '3', 1],
    ['RISK_WORKER_value', 'worse', '200.00', '300.00', 0],
  ])
  expect(await night({ missing: classifications })).toEqual([])
  expect(await night({ figures: worker(0) })).toEqual([
    ['RISK_WORKER_count', 'cleared', '3', '0', 0],
    ['RISK_WORKER_value', 'cleared', '300.00', '0.00', 0],
  ])
})

test('a portfolio whose answers lack figures finishes, and compares each with its own last known value', async () => {
  await using t = await setupAhead()
  const month = async (planted: PlantedRisk) => {
    t.sandbox.plantChange(cpf(0), { missing: [], entries: {}, ...planted })
    const { id, ...sweep } = await run(t)
    t.pass(31)
    expect(sweep).toMatchObject({ due: 5, verified: 5 })
    const changes = await listChanges(t.sql, { sweepId: id, limit: 9 })
    return changes.map(({ field, verdict, before, after }) => [field, verdict, before, after])
  }
  await addList(t, 'Clients', cpfs(5))
  expect(await month({ figures: worker(2) })).toEqual([])
  expect(await month({ missing: ['RISK_WORKER'] })).toEqual([])
  expect(await month({ figures: worker(1) })).toEqual([
    ['RISK_WORKER_count', 'better', '2', '1'],
    ['RISK_WORKER_value', 'better', '200.00', '100.00'],
  ])
})
