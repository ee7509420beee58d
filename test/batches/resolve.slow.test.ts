import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readStatus } from '../../src/batches/batch-or-refuse.ts'
import { outboxFolder } from '../../src/batches/export.ts'
import { readParked, resolveLookup, resolveRow } from '../../src/batches/resolve.ts'
import { closeSweepBatches } from '../../src/monitoring/finish-radar-sweep.ts'
import { readAnalysisList } from '../../src/purchases/read-list.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { countsOf } from '../../src/store/batches/counts.ts'
import { countUnknownOutcomes } from '../../src/store/lookups/lookups.ts'
import { sweepRadars } from '../monitoring/sweep.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { readCsv } from '../support/read-report.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { boughtId, resolving, spentToday } from './decisions.ts'

/** The answer about the second row is lost, and the registry's list proves nothing. */
const oneParked = async () => {
  const t = await setup({ config: { request: { timeout: '2s', retries: 0 } } })
  t.sandbox.setScenario({
    faults: [{ operation: 'generate', document: cpf(1), fault: 'closedAfter', times: 1 }],
    activities: { limit: 0 },
  })
  const id = await t.submit(csvOf(cpfs(3)))
  await t.finished(id)
  expect(await countsOf(t.sql, id)).toEqual({ ok: 2, unknown_outcome: 1 })
  expect((await readStatus(t.sql, id, new Date())).inDoubt).toBe(1)
  expect(await countUnknownOutcomes(t.sql)).toBe(1)
  t.sandbox.setScenario({ activities: {} })
  return { t, id }
}

test('a decision about one call is not applied to a later one of the same look-up', async () => {
  const { t, id } = await oneParked()
  await using _ = t
  const remote = { id: await boughtId(t, cpf(1)), key: null }
  const purchases = async () => {
    await t.sql`update vigia.lookup set sending_at = sending_at + interval '1 minute' where state = 'unknown_outcome'`
    return [remote]
  }
  const adopting = resolveRow(t.sql, id, { line: 3 }, { adopt: remote.id }, { ...resolving(t), purchases })
  await expect(adopting).rejects.toThrow(/was settled by someone else/)
  expect(await countsOf(t.sql, id)).toEqual({ ok: 2, unknown_outcome: 1 })
})

test('an adopted purchase is fetched and keeps its unit', async () => {
  const { t, id } = await oneParked()
  await using _ = t
  await resolveRow(t.sql, id, { line: 3 }, { adopt: await boughtId(t, cpf(1)) }, resolving(t))
  const batch = await t.finished(id)

  expect(await countsOf(t.sql, id)).toEqual({ ok: 3 })
  expect(batch).toMatchObject({ state: 'done', spent: 3 })
  expect(await spentToday(t)).toBe(3)
  expect(t.sandbox.charges()).toBe(3)
})

test('a purchase that is not listed, of another document or of another look-up is not adopted', async () => {
  const { t, id } = await oneParked()
  await using _ = t
  const known = await boughtId(t, cpf(1))
  await expect(resolveRow(t.sql, id, { line: 3 }, { adopt: '77' }, resolving(t))).rejects.toThrow(
    `The registry lists no purchase 77 of this row's document. It lists ${known}.`,
  )
  const another = await boughtId(t, cpf(0))
  await expect(resolveRow(t.sql, id, { line: 3 }, { adopt: another }, resolving(t))).rejects.toThrow(
    'lists no purchase',
  )
  await t.sql`update vigia.lookup set remote_id = ${known}, current = false where question = ${cpf(0)}`
  await expect(resolveRow(t.sql, id, { line: 3 }, { adopt: known }, resolving(t))).rejects.toThrow(
    'already belongs to another',
  )
  expect(await countsOf(t.sql, id)).toMatchObject({ unknown_outcome: 1 })
})

test('a row that is sent again returns its unit and reserves a new one', async () => {
  const { t, id } = await oneParked()
  await using _ = t
  await resolveRow(t.sql, id, { line: 3 }, 'resend', resolving(t))
  const batch = await t.finished(id)
  expect(await countsOf(t.sql, id)).toEqual({ ok: 3 })
  expect(batch.spent).toBe(3)
  expect(await spentToday(t)).toBe(3)
})

test('a dropped row keeps its unit and stays unknown, and the report is written again', async () => {
  const { t, id } = await oneParked()
  await using _ = t
  await resolveRow(t.sql, id, { line: 3 }, 'drop', resolving(t))
  const batch = await t.finished(id)
  expect(await countsOf(t.sql, id)).toEqual({ ok: 2, cancelled: 1 })
  expect(batch).toMatchObject({ spent: 3, state: 'done' })
  const [{ manifest } = {}] = await t.sql`select manifest from vigia.batch where id = ${id}`
  expect(manifest).toMatchObject({ states: { ok: 2, cancelled: 1 }, spend: { charged: 3, open: 0, unknown: 1 } })
  expect(await spentToday(t)).toBe(3)
  const cells = await readCsv(join(outboxFolder(t.tools.home, batch), 'people.report.csv'))
  expect(cells.map((row) => row.result_charged)).toEqual(['yes', 'unknown', 'yes'])
  expect((await readStatus(t.sql, id, new Date())).inDoubt).toBe(0)
})

test('every batch that shares a parked look-up is counted anew, and a decision is applied once', async () => {
  const { t, id } = await oneParked()
  await using _ = t
  const other = await t.submit(`cpf\n${cpf(1)}\n`)
  await t.finished(other)
  expect(await countsOf(t.sql, other)).toEqual({ unknown_outcome: 1 })

  await resolveRow(t.sql, other, { line: 2 }, 'resend', resolving(t))
  await Promise.all([t.finished(id), t.finished(other)])
  expect(await countsOf(t.sql, id)).toEqual({ ok: 3 })
  expect(await countsOf(t.sql, other)).toEqual({ ok: 1 })
  expect(await readBatch(t.sql, id)).toMatchObject({ spent: 2 })
  expect(await readBatch(t.sql, other)).toMatchObject({ spent: 1 })
  await expect(resolveRow(t.sql, id, { line: 3 }, 'drop', resolving(t))).rejects.toThrow('is ok, not parked')
})

/** A sweep bought the analysis of its radar, and the outcome is unknown. */
const parkedBySweep = async () => {
  const t = await setup({ config: { radarSweep: { refresh: 'none', analysisEvery: '30d' } } })
  t.sandbox.plantRadar({ code: cpf(0) })
  await sweepRadars(t)
  const [lookup] = await t.sql<{ id: bigint }[]>`
    update vigia.lookup
       set state = 'unknown_outcome', charged = 'unknown', remote_id = null, remote_key = null, as_of = null
     where kind = 'analysis'
    returning id`
  await t.sql`delete from vigia.answer`
  const { request, purchases } = t.settings.forKind.analysis
  const reader = { ...t.tools, requestTimeoutMs: request.timeout, lagMs: purchases.listLag, shows: null }
  expect(await readAnalysisList(reader, t.sandbox.account)).toBe('read')
  return { t, id: lookup!.id, bought: await boughtId(t, cpf(0)) }
}

const stateOf = async (t: Setup, id: bigint): Promise<string> => {
  const [row] = await t.sql<{ state: string }[]>`select state from vigia.lookup where id = ${id}`
  return row!.state
}

test('a purchase that a sweep parked is listed with its candidates, and fetched once adopted', async () => {
  const { t, id, bought } = await parkedBySweep()
  await using _ = t
  expect(await readParked(t.sql, 10)).toMatchObject([
    { lookup: Number(id), batch: null, line: null, candidates: [{ id: bought, owner: null }] },
  ])
  expect(await countUnknownOutcomes(t.sql)).toBe(1)

  await resolveLookup(t.sql, id, { adopt: bought }, resolving(t))
  await until(async () => (await stateOf(t, id)) === 'ok')

  expect(t.sandbox.charges()).toBe(1)
  expect(await readParked(t.sql, 10)).toEqual([])
  await closeSweepBatches(t.sql, new Date())
  expect(await t.sql`select id from vigia.batch where finished_at is null`).toEqual([])
})

test('an adopted purchase whose payer was a sweep, or was deleted, is fetched by the batch of the row', async () => {
  const { t, id, bought } = await parkedBySweep()
  await using _ = t
  const batch = await t.submit(csvOf([cpf(0)]))
  await t.finished(batch)
  expect(await countsOf(t.sql, batch)).toEqual({ unknown_outcome: 1 })
  await t.sql`delete from vigia.batch where source = 'sweep'`

  await resolveRow(t.sql, batch, { line: 2 }, { adopt: bought }, resolving(t))
  await t.finished(batch)

  expect(await stateOf(t, id)).toBe('ok')
  expect(await countsOf(t.sql, batch)).toEqual({ ok: 1 })
  expect(t.sandbox.charges()).toBe(1)
})
