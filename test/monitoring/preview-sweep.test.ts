import { expect, test } from 'vitest'
import { previewSweep, quoteSweep } from '../../src/monitoring/preview-sweep.ts'
import { holdLaneByHand } from '../../src/operations/lanes.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { sweepNames } from '../../src/store/radars/sweeps.ts'
import { sweepPreview, sweepQuote, toSweepPreviewView } from '../../src/views/sweep.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup, sharedSetup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { sweepRadars } from './sweep.ts'

const t = await sharedSetup()

const budget = { perBatch: 2, unitPrice: { amount: '1.90', currency: 'BRL' } }

test('a dry run and the prompt before a sweep quote what the sweep then buys, within its limit', async () => {
  await using t = await setup({ config: { budget } })
  for (const code of cpfs(5)) t.sandbox.plantRadar({ code, name: 'Fulano' })
  const { organizationId } = t.sandbox.account

  const price = { cents: 380, currency: 'BRL' }
  expect(await quoteSweep(t.tools, 'radars')).toEqual({ name: 'radars', analysesToBuy: 2, price })
  expect(await previewSweep(t.tools, 'radars')).toMatchObject({
    analysesToBuy: 2,
    price,
    organizations: [{ organization: organizationId, toLookAt: 5, analysesDue: 5, analysesToBuy: 2, price }],
  })
  expect(t.sandbox.charges()).toBe(0)
  await sweepRadars(t, { mostTries: 1 })
  expect(t.sandbox.charges()).toBe(2)
})

test('if the list would be rejected, the radars known before are checked and quoted', async () => {
  await using t = await setup({ config: { radarSweep: { refresh: 'processes', analysisEvery: '1ms' } } })
  const radars = cpfs(5).map((code) => t.sandbox.plantRadar({ code, name: 'Fulano' }))
  await sweepRadars(t)
  for (const { id } of radars) t.sandbox.removeRadar(id)

  const before = t.sandbox.charges()
  expect(await previewSweep(t.tools, 'radars')).toMatchObject({
    analysesToBuy: 5,
    organizations: [{ listed: 0, known: 5, missing: 5, suspicion: expect.any(String), toLookAt: 5 }],
  })
  await sweepRadars(t)
  expect(t.sandbox.charges() - before).toBe(5)
})

test('look-ups that another batch asks and has not bought may be bought by the sweep', async () => {
  for (const code of cpfs(3)) t.sandbox.plantRadar({ code, name: 'Fulano' })
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' } as const
  await holdLaneByHand(t.sql, lane, { by: 'ana', now: new Date() })
  const id = await t.submit(csvOf(cpfs(2)))
  await until(async () => (await readBatch(t.sql, id))?.importedAt)
  expect(await quoteSweep(t.tools, 'radars')).toMatchObject({ analysesToBuy: 3 })
  await t.sql`update vigia.lookup set state = 'waiting', remote_id = '1' where question = ${cpfs(1)[0]!}`
  expect(await quoteSweep(t.tools, 'radars')).toMatchObject({ analysesToBuy: 2 })
})

test('the limit applies to each organization separately', () => {
  const found = (organizationId: number, analysesDue: number) => ({
    ...{ organizationId, listed: 9, known: 9, missing: 0, suspicion: null, toLookAt: 9, analysesDue },
    ...{ analysesMoved: 0, analysesIfMoved: 0 },
  })
  const limited = { perBatch: 3, unitPrice: null }
  const preview = toSweepPreviewView('radars', { organizations: [found(7001, 9), found(7002, 2)] }, limited)
  expect(preview).toMatchObject({ analysesToBuy: 5, organizations: [{ analysesToBuy: 3 }, { analysesToBuy: 2 }] })
})

test('each preview and each quote of a sweep matches its schema', async () => {
  for (const name of sweepNames) {
    const preview = await previewSweep(t.tools, name)
    expect(sweepPreview.strict().parse(preview)).toEqual(preview)
    expect(preview).toMatchObject({ name, dryRun: true })
    const quote = await quoteSweep(t.tools, name)
    expect(sweepQuote.strict().parse(quote)).toEqual(quote)
  }
})
