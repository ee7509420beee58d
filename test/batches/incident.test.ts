import { expect, test } from 'vitest'
import type { HoldCause } from '../../src/domain/call-failure.ts'
import { type Kind, kinds } from '../../src/domain/kind.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { setCancelled, setPaused } from '../../src/store/batches/batch-actions.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { listBatchLines } from '../../src/views/batch.ts'
import { readIncidents } from '../../src/views/incident.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { type Ground, setupGround } from './ground.ts'

const now = new Date('2026-11-15T02:00:00Z')
const [{ organizationId }] = accounts

const hold = (t: Pick<Ground, 'sql'>, kind: Kind, cause: HoldCause, detail: string, trialAt: Date | null = null) =>
  holdLane(t.sql, { organizationId, kind }, { cause, reason: ['text', detail], trialAt }, now)

test('there is no incident if nothing waits', async () => {
  await using t = await setupGround()
  expect(await readIncidents(t.sql)).toEqual([])
})

test('a dead token is one incident with many lanes and the batches that it stops', async () => {
  await using t = await setupGround()
  const running = await t.imported(csvOf(cpfs(5)))
  const paused = await t.imported(csvOf(cpfs(5, 10)), { fileName: 'paused.csv' })
  await setPaused(t.sql, paused.id, now)
  const next = new Date('2026-11-15T02:00:15Z')
  for (const kind of kinds) await hold(t, kind, 'token', 'the registry refused the refresh token', next)

  const incident = (await readIncidents(t.sql)).filter(({ what }) => what === 'lanes_held')
  expect(incident).toMatchObject([
    {
      cause: 'token',
      since: now.toISOString(),
      nextTry: next.toISOString(),
      stops: 'everything',
      todo: 'renew_token',
      goesOnAlone: true,
      batches: [{ batch: Number(running.id), name: 'people', kind: 'analysis', source: 'cli', open: 5 }],
    },
  ])
  expect(incident[0]!.lanes.map(({ kind }) => kind).sort()).toEqual([...kinds].sort())
  const listed = await listBatchLines(t.sql, { limit: 9 }, null)
  expect(listed.map(({ state, shown }) => [state, shown])).toEqual([
    ['paused', 'paused'],
    ['running', 'held'],
  ])
})

test('a lane that an operator holds is listed apart, and only an operator resumes it', async () => {
  await using t = await setupGround()
  await hold(t, 'analysis', 'operator', 'contract under review')
  await hold(t, 'scr', 'outage', 'GET answered 503', now)
  const incident = await readIncidents(t.sql)
  expect(incident).toMatchObject([
    { cause: 'operator', todo: 'resume_lane', goesOnAlone: false, nextTry: null, batches: [] },
    { cause: 'outage', todo: 'nothing', goesOnAlone: true, batches: [] },
  ])
})

test('a batch that only fetches what it paid for is not stopped by an exhausted plan', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 3_600_000 } })
  const fetching = await t.submit(csvOf(cpfs(4)))
  const waiting = async () => (await t.sql`select from vigia.lookup where state = 'waiting'`).length === 4
  await until(waiting)
  t.sandbox.setScenario({ plans: { [t.sandbox.account.planId]: { units: 4 } } })
  const asking = await t.submit(csvOf(cpfs(6, 100)), { fileName: 'next.csv' })
  const incident = await until(async () => (await readIncidents(t.sql)).find(({ batches }) => batches.length > 0))

  expect(incident).toMatchObject({ cause: 'plan', stops: 'asking', todo: 'extend_plan' })
  const batches = incident.batches.map(({ batch }) => BigInt(batch))
  expect(batches).toEqual([asking])
  expect(batches).not.toContain(fetching)
})

test('batches that wait without a worker are an incident too, and a name that is a document is masked', async () => {
  await using t = await setupGround()
  const { id } = await t.imported(csvOf(cpfs(3)), { fileName: `${cpf(1)}.csv` })
  const [incident] = await readIncidents(t.sql)
  expect(incident).toMatchObject({ what: 'no_worker', todo: 'start_worker', batches: [{ batch: Number(id), open: 3 }] })
  expect(JSON.stringify(incident)).not.toContain(cpf(1))
  expect(await listBatchLines(t.sql, { limit: 9 }, null)).toMatchObject([{ batch: Number(id), shown: 'running' }])
})

test('a batch that waits for a person needs no worker; a cancelled one does, until its rows are back', async () => {
  await using t = await setupGround()
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
