import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Batch } from '../../src/store/batches/batches.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { readCsv } from '../support/read-report.ts'
import { type Setup, setup, sharedSetup } from '../support/setup.ts'

const t = await sharedSetup({ sandbox: { readyAfterMs: 60 } })

const reportOf = (t: Setup, batch: Batch) =>
  readCsv(join(t.home, 'outbox', `${batch.name}.${batch.id}`, `${batch.name}.report.csv`))

test('an analysis reports the twenty classifications, count and value', async () => {
  const [row] = await reportOf(t, await t.finished(await t.submit(csvOf(cpfs(1)))))

  expect(row).toMatchObject({ result_status: 'ok', result_charged: 'yes', result_document: cpfs(1)[0] })
  expect(row?.ALL_count).toMatch(/^\d+$/)
  expect(row?.ALL_value).toMatch(/^\d+,\d\d$/)
  expect(Object.keys(row ?? {}).filter((name) => name.endsWith('_value'))).toHaveLength(20)
})

test('a CNH is requested and polled until its data is there, and a CPF without one is not found', async () => {
  await using t = await setup({
    config: { polling: { first: '20ms', max: '200ms', deadline: '5s' } },
    sandbox: { readyAfterMs: 60, scenario: { hidesAbsentCnh: true } },
  })
  const batch = await t.finished(await t.submit(csvOf(cpfs(40)), { kind: 'cnh' }))

  const rows = await reportOf(t, batch)
  const states = await statesOf(t.sql, batch.id)
  expect(Object.keys(states).sort()).toEqual(['not_found', 'ok'])
  for (const row of rows.filter(({ result_status }) => result_status === 'ok'))
    expect({ ...row, cnh_data: JSON.parse(row.cnh_data!) }).toMatchObject({ cnh_status: 'DONE', cnh_data: {} })
  expect(rows.filter(({ result_charged }) => result_charged === 'yes')).toHaveLength(40)
})

test('SCR indicators are asked for until they are no longer being processed, and cost nothing', async () => {
  const charges = t.sandbox.charges()
  const batch = await t.finished(await t.submit(csvOf(cpfs(10)), { kind: 'scr' }))

  const rows = await reportOf(t, batch)
  expect(rows).toHaveLength(10)
  expect(rows.every(({ result_status }) => result_status === 'ok')).toBe(true)
  expect(rows.every(({ result_charged }) => result_charged === 'no')).toBe(true)
  expect(JSON.parse(rows[0]?.scr_data ?? '')).toBeTypeOf('object')
  expect(t.sandbox.charges()).toBe(charges)
})

test('processes are counted', async () => {
  for (const [n, code] of cpfs(10).entries()) t.sandbox.plantChange(code, { processes: 3 * n })
  const rows = await reportOf(t, await t.finished(await t.submit(csvOf(cpfs(10)), { kind: 'processes' })))
  const counted = rows.map(({ result_document, processes_total }) => [result_document, processes_total])
  expect(counted).toEqual(cpfs(10).map((code, n) => [code, String(3 * n)]))
})

test('a radar is added where it is missing and only there', async () => {
  const [known, ...others] = cpfs(6)
  t.sandbox.plantRadar({ code: known! })
  const batch = await t.finished(await t.submit(csvOf([known!, ...others]), { kind: 'radar' }))

  const rows = await reportOf(t, batch)
  expect(rows).toHaveLength(6)
  expect(
    rows.every(
      ({ result_status, radar_id, radar_active }) => result_status === 'ok' && radar_id && radar_active === 'true',
    ),
  ).toBe(true)
  expect(t.sandbox.ledger.counts.radarAdd).toBe(5)
})

test('a radar whose answer was lost is found in the list, not added twice', async () => {
  await using t = await setup({
    config: { request: { timeout: '300ms', retries: 0 } },
    sandbox: { scenario: { faults: [{ operation: 'radarAdd', fault: 'hang', every: 2 }] } },
  })
  const batch = await t.finished(await t.submit(csvOf(cpfs(6)), { kind: 'radar' }))

  expect(await statesOf(t.sql, batch.id)).toEqual({ ok: 6 })
  expect(t.sandbox.ledger.counts.radarAdd).toBe(6)
  expect(t.sandbox.records.radars.size).toBe(6)
  expect((await reportOf(t, batch)).map(({ result_detail }) => result_detail)).toEqual(Array(6).fill(''))
})

test('a process is inactivated by its number; one the registry does not know is not found, with its reason', async () => {
  const file = 'numero_processo\n0058967-77.2016.8.19.0000\n12345/98\n'
  const batch = await t.finished(await t.submit(file, { kind: 'inactivation' }))

  const rows = await reportOf(t, batch)
  const missing =
    'PUT /v1/organization/{organizationId}/process/{numberProcess}/INACTIVE respondeu 404 ObjectNotFoundException: processNumber not exist'
  expect(rows.map((row) => [row.result_status, row.result_detail, row.process_status])).toEqual([
    ['ok', '', 'INACTIVE'],
    ['not_found', missing, ''],
  ])
  expect([...t.sandbox.records.inactive.keys()]).toEqual(['7001 0058967-77.2016.8.19.0000'])
})
