import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localDay } from '../../src/domain/calendar.ts'
import { formatDocument } from '../../src/domain/document.ts'
import { finishRadarSweep } from '../../src/monitoring/finish-radar-sweep.ts'
import { mirrorRadars } from '../../src/monitoring/mirror-radars.ts'
import { nightTimeouts, takeRadarSweepFurther } from '../../src/monitoring/radar-sweep.ts'
import { addOrganizations } from '../../src/store/radars/sweep-organizations.ts'
import { coverageOf, finishSweep, listUnverified, readSweep } from '../../src/store/radars/sweeps.ts'
import { listChanges } from '../../src/views/change.ts'
import { listRadars } from '../../src/views/radar.ts'
import { countUnverified } from '../../src/views/sweep.ts'
import { setupGround } from '../batches/ground.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { beginRadars, sweepByQueue, sweepOn, sweepRadars } from './sweep.ts'

const onlyProcesses = { radarSweep: { refresh: 'processes', analysisEvery: null } }

test('a sweep in which more radars differ than a page holds finishes', async () => {
  await using t = await setupGround(onlyProcesses)
  const nights = [await beginRadars(t)]
  await finishSweep(t.sql, nights[0]!, { state: 'done', detail: {}, now: new Date() })
  nights.push(await beginRadars(t))
  const documents = cpfs(2_100)
  await t.sql`
    insert into vigia.snapshot (sweep_id, organization_id, document, processes, verified_at)
    select ${nights[0]!}, 1, document, 1, now() from unnest(${documents}::text[]) document`
  await t.sql`
    with asked as (
      insert into vigia.lookup (organization_id, kind, question, batch_id, deadline_at, state, finished_at)
      select 1, 'processes', document, 1, now(), 'ok', now() from unnest(${documents}::text[]) document
      returning id, question),
    answered as (insert into vigia.answer (lookup_id, total) select id, 2 from asked)
    insert into vigia.snapshot (sweep_id, organization_id, document, processes_lookup_id, tries)
    select ${nights[1]!}, 1, question, id, 1 from asked`
  await finishRadarSweep(t.tools, (await readSweep(t.sql, nights[1]!))!)
  expect(await readSweep(t.sql, nights[1]!)).toMatchObject({ state: 'done', changed: 2_100 })
})

test('the first sweep is a silent baseline, and a second one over the same data finds no change and buys nothing', async () => {
  await using t = await setup()
  for (const code of cpfs(20)) t.sandbox.plantRadar({ code })
  // A document that is linked twice is one radar, active while any of its links is.
  t.sandbox.plantRadar({ code: cpf(0), active: false })

  const first = await sweepByQueue(t, 'radars')
  const second = await sweepRadars(t)

  expect(first).toMatchObject({ state: 'done', due: 20, verified: 20, changed: 0 })
  expect(second).toMatchObject({ state: 'done', due: 20, verified: 20, changed: 0 })
  expect(t.sandbox.charges()).toBe(20)
  expect(await listChanges(t.sql, { limit: 9 })).toEqual([])
})

test('while a sweep is under way, a document that nobody checked is not called verified', async () => {
  await using t = await setup({ config: onlyProcesses })
  for (const code of cpfs(3)) t.sandbox.plantRadar({ code })
  t.sandbox.setScenario({ latency: { processCount: 60_000 } })
  const id = await beginRadars(t)
  await takeRadarSweepFurther(t.tools, id)

  expect(await readSweep(t.sql, id)).toMatchObject({ state: 'running' })
  expect(await coverageOf(t.sql, id)).toEqual({ due: 3, verified: 0, changed: 0, unverified: {} })
  expect(await listUnverified(t.sql, id, 9)).toMatchObject(
    cpfs(3)
      .toSorted()
      .map((document) => ({ document, message: null })),
  )
  expect(await countUnverified(t.sql, id)).toEqual([{ message: null, documents: 3 }])
  expect(await listRadars(t.sql, { listed: true, limit: 9 })).toMatchObject(Array(3).fill({ verified: null }))
})

test('figures that changed are changes of that night alone, worst first in the file of the day', async () => {
  await using t = await setup({ config: { radarSweep: { refresh: 'processes', analysisEvery: '1ms' } } })
  const [worse, better, same] = cpfs(3) as [string, string, string]
  for (const code of [worse, better, same]) t.sandbox.plantRadar({ code, name: `=${code.slice(0, 3)}` })
  t.sandbox.plantChange(worse, { figures: { RISK_WORKER: { count: 0, cents: 0 } }, processes: 4 })
  t.sandbox.plantChange(better, { processes: 9 })
  await sweepRadars(t)
  t.sandbox.plantChange(worse, { figures: { RISK_WORKER: { count: 2, cents: 123_456 } }, processes: 4 })
  t.sandbox.plantChange(better, { processes: 7 })

  const night = await sweepRadars(t)

  expect(night).toMatchObject({ due: 3, verified: 3, changed: 2 })
  expect(await listChanges(t.sql, { limit: 9 })).toMatchObject([
    { document: worse, field: 'RISK_WORKER_count', verdict: 'new', before: '0', after: '2' },
    { document: worse, field: 'RISK_WORKER_value', verdict: 'new', before: '0.00', after: '1234.56' },
    { document: better, field: 'processes', verdict: 'better', before: '9', after: '7' },
  ])
  const day = localDay(night.startedAt, t.settings.timezone)
  const lines = (await readFile(join(t.home, 'outbox', `changes-${day}.csv`), 'utf8')).split('\r\n')
  expect(lines[0]).toBe('\uFEFFseen_at;organization;document;name;field;verdict;before;after;sweep;name_in_file;ref')
  expect(lines[2]).toContain(`;${formatDocument(worse)};'=${worse.slice(0, 3)};RISK_WORKER_value;new;0,00;1234,56;`)
  expect(await sweepRadars(t)).toMatchObject({ changed: 0 })
})

test('the mirror follows the list: added, removed, renamed, deactivated and reactivated', async () => {
  await using t = await setup({ config: onlyProcesses })
  const radars = cpfs(12).map((code) => t.sandbox.plantRadar({ code }))
  t.sandbox.changeRadar(radars[3]!.id, { active: false })
  await sweepRadars(t)

  t.sandbox.removeRadar(radars[0]!.id)
  t.sandbox.changeRadar(radars[1]!.id, { name: 'New name' })
  t.sandbox.changeRadar(radars[2]!.id, { active: false })
  t.sandbox.changeRadar(radars[3]!.id, { active: true })
  t.sandbox.plantRadar({ code: cpf(99) })
  const night = await sweepRadars(t)

  expect(night).toMatchObject({ due: 11, verified: 11, changed: 5 })
  const found = (await listChanges(t.sql, { limit: 20 })).map(({ document, verdict }) => [document, verdict])
  expect(found).toEqual([
    [radars[0]!.code, 'removed'],
    [radars[2]!.code, 'deactivated'],
    [cpf(99), 'added'],
    [radars[3]!.code, 'reactivated'],
    [radars[1]!.code, 'renamed'],
  ])
  expect(await listRadars(t.sql, { listed: true, limit: 50 })).toHaveLength(12)
})

test('one list counts in a sweep that two workers run, though each has read its own', async () => {
  await using t = await setup({ config: onlyProcesses })
  const radars = cpfs(6).map((code) => t.sandbox.plantRadar({ code }))
  await sweepRadars(t)
  const id = await beginRadars(t)
  const sweep = (await readSweep(t.sql, id))!
  const account = t.tools.accounts[0]!
  await addOrganizations(t.sql, id, [account.organizationId])

  expect(await mirrorRadars(t.tools, sweep, account, { lastTry: false })).toBe('applied')
  t.sandbox.changeRadar(radars[0]!.id, { active: false })
  expect(await mirrorRadars(t.tools, sweep, account, { lastTry: false })).toBe('applied')

  expect(await listChanges(t.sql, { limit: 9 })).toEqual([])
  expect(await sweepOn(t, id, { ...nightTimeouts, look: 0 })).toMatchObject({ due: 6, verified: 6, changed: 0 })
  expect(await sweepRadars(t)).toMatchObject({ due: 5, changed: 1 })
})
