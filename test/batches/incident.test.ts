import { expect, test } from 'vitest'
import type { HoldCause } from '../../src/domain/call-failure.ts'
import { type Kind, kinds } from '../../src/domain/kind.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { setCancelled, setPaused } from '../../src/store/batches/batch-actions.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { listBatchLines } from '../../src/views/batch.ts'
import { readIncidents } from '../../src/views/incident.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { sharedGround } from './ground.ts'

const t = sharedGround()

const now = new Date('2026-11-15T02:00:00Z')
const [{ organizationId }] = accounts

const hold = (kind: Kind, cause: HoldCause, detail: string, trialAt: Date | null = null) =>
  holdLane(t.sql, { organizationId, kind }, { cause, reason: ['text', detail], trialAt }, now)

test('a dead token is one incident with many lanes and the batches that it stops', async () => {
  expect(await readIncidents(t.sql)).toEqual([])
  const running = await t.imported(csvOf(cpfs(5)))
  const paused = await t.imported(csvOf(cpfs(5, 10)), { fileName: 'paused.csv' })
  await setPaused(t.sql, paused.id, now)
  const next = new Date('2026-11-15T02:00:15Z')
  for (const kind of kinds) await hold(kind, 'token', 'the registry refused the refresh token', next)

  const incident = (await readIncidents(t.sql)).filter(({ what }) => what === 'lanes_held')
  const when = { since: now.toISOString(), nextTry: next.toISOString() }
  const batches = [{ batch: Number(running.id), name: 'people', kind: 'analysis', source: 'cli', open: 5 }]
  expect(incident).toMatchObject([
    { cause: 'token', ...when, stops: 'everything', todo: 'renew_token', goesOnAlone: true, batches },
  ])
  expect(incident[0]!.lanes.map(({ kind }) => kind).sort()).toEqual([...kinds].sort())
  const listed = await listBatchLines(t.sql, { limit: 9 }, null)
  expect(listed.map(({ state, shown }) => [state, shown])).toEqual([
    ['paused', 'paused'],
    ['running', 'held'],
  ])
})

test('a lane that an operator holds is listed apart, and only an operator resumes it', async () => {
  await hold('analysis', 'operator', 'contract under review')
  await hold('scr', 'outage', 'GET answered 503', now)
  const incident = await readIncidents(t.sql)
  expect(incident).toMatchObject([
    { cause: 'operator', todo: 'resume_lane', goesOnAlone: false, nextTry: null, batches: [] },
    { cause: 'outage', todo: 'nothing', goesOnAlone: true, batches: [] },
  ])
})

test('a batch that only fetches what it paid for is not stopped by an exhausted plan', async () => {
  await t.imported(csvOf(cpfs(4)))
  await t.sql`update vigia.lookup set state = 'waiting', remote_id = id::text`
  const asking = await t.imported(csvOf(cpfs(6, 100)), { fileName: 'next.csv' })
  await hold('analysis', 'plan', 'no units left')

  const incident = (await readIncidents(t.sql)).find(({ cause }) => cause === 'plan')
  expect(incident).toMatchObject({ cause: 'plan', stops: 'asking', todo: 'extend_plan' })
  expect(incident!.batches.map(({ batch }) => BigInt(batch))).toEqual([asking.id])
})

test('batches that wait without a worker are an incident too, and a name that is a document is masked', async () => {
  const { id } = await t.imported(csvOf(cpfs(3)), { fileName: `${cpf(1)}.csv` })
  const [incident] = await readIncidents(t.sql)
  expect(incident).toMatchObject({ what: 'no_worker', todo: 'start_worker', batches: [{ batch: Number(id), open: 3 }] })
  expect(JSON.stringify(incident)).not.toContain(cpf(1))
  expect(await listBatchLines(t.sql, { limit: 9 }, null)).toMatchObject([{ batch: Number(id), shown: 'running' }])
})

test('a batch that waits for a person needs no worker; a cancelled one does, until its rows are back', async () => {
  const paused = await t.imported(csvOf(cpfs(3)))
  await setPaused(t.sql, paused.id, now)
  await t.imported(csvOf(cpfs(3, 10)), { fileName: 'unconfirmed.csv', confirmAbove: 1 })
  const importing = await t.submit(csvOf(cpfs(3, 20)), { fileName: 'importing.csv' })
  const cancelled = await t.submit(csvOf(cpfs(3, 30)), { fileName: 'cancelled.csv' })
  await setCancelled(t.sql, cancelled)

  const [incident] = await readIncidents(t.sql)
  expect(incident).toMatchObject({ what: 'no_worker' })
  expect(incident!.batches.map(({ batch }) => BigInt(batch))).toEqual([importing, cancelled])
})
