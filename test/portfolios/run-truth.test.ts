import { expect, test } from 'vitest'
import { retryBatch, retryBy } from '../../src/batches/retry.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { syncPortfolio } from '../../src/portfolios/keep-portfolio.ts'
import { finishRun, takeRunFurther } from '../../src/portfolios/run-portfolio.ts'
import { triggerPortfolios } from '../../src/schedule/start-schedules.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { holdLane, resumeLane } from '../../src/store/fleet/lanes.ts'
import { findPortfolio } from '../../src/store/portfolios/portfolios.ts'
import { readRun } from '../../src/store/portfolios/runs.ts'
import { listSweeps, readSweep, type Sweep } from '../../src/store/radars/sweeps.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { addList, refuseChanges, run, setupAhead, trigger } from './runs.ts'

const day = 86_400_000
const held: Parameters<typeof holdLane>[2] = { cause: 'plan', reason: ['text', 'for a while'], trialAt: null }
const laneOf = (t: Setup) => ({ organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const })

const newest = async (t: Setup): Promise<Sweep> => (await listSweeps(t.sql, { name: 'portfolio', limit: 1 }))[0]!
const ended = (t: Setup): Promise<Sweep> =>
  until(async () => {
    const sweep = await newest(t)
    return sweep.finishedAt ? sweep : null
  })

/** Begins a run whose look-ups are delayed, so that something may happen while it is under way. */
const runHeld = async (t: Setup, meanwhile: () => Promise<unknown>): Promise<Sweep> => {
  await holdLane(t.sql, laneOf(t), held, t.tools.clock())
  expect(await trigger(t)).toBe(1)
  await until(async () => {
    const [row] = await t.sql`
      select from vigia.sweep s join vigia.batch b on b.id = s.batch_id where s.state = 'running' and b.imported_at is not null`
    return row !== undefined
  })
  await meanwhile()
  await resumeLane(t.sql, laneOf(t))
  return ended(t)
}

test('a run asks about everyone again, though the batch of the run before is open for the same list', async () => {
  await using t = await setupAhead({ config: { budget: { perBatch: 4 } } })
  const worker = (count: number) => ({ figures: { RISK_WORKER: { count, cents: count * 100 } } })
  for (const code of cpfs(5)) t.sandbox.plantChange(code, worker(1))
  await addList(t, 'Clients', cpfs(5))
  const first = await run(t)
  expect(first).toMatchObject({ due: 5, verified: 4, changed: 0 })

  t.pass(31)
  for (const code of cpfs(5)) t.sandbox.plantChange(code, worker(2))
  const now = t.tools.clock()
  await holdLane(t.sql, laneOf(t), held, now)
  const steering = { by: 'test', now, deadlineMs: day, finished: async () => {} }
  const again = { ...steering, ...retryBy(t.settings, 'analysis', now), maxSpend: 5 }
  expect(await retryBatch(t.sql, BigInt(first.detail.batch as number), again)).toBe(1)
  const second = await runHeld(t, async () => {})

  expect(second.detail.batch).not.toBe(first.detail.batch)
  expect(second).toMatchObject({ state: 'done', due: 5, verified: 5, changed: 4 })
  expect(t.sandbox.charges()).toBe(9)
})

test('a document that was removed or erased during a run, or has no answer, is not verified', async () => {
  await using t = await setup({ config: { budget: { perBatch: 4 } } })
  await addList(t, 'Clients', cpfs(6))
  const sweep = await runHeld(t, async () => {
    async function* open() {
      yield Buffer.from(csvOf(cpfs(5, 1)))
    }
    await syncPortfolio(t.sql, { name: 'Clients', open }, { by: 'test', now: t.tools.clock() })
    await eraseDocument(t.tools, cpf(1), 'test')
  })
  expect(sweep).toMatchObject({ state: 'done', due: 6, verified: 3 })
  expect(sweep.detail.unverified).toEqual({
    'analysis over budget': 1,
    'left the list during the run': 1,
    'erased during the run': 1,
  })
})

test('a run that fails three times in a row ends as failed with the reason, and the next one is due', async () => {
  await using t = await setupAhead()
  const list = cpfs(3)
  for (const code of list) t.sandbox.plantChange(code, { processes: 1 })
  await addList(t, 'Clients', list, 'processes')
  await run(t)
  t.pass(31)
  t.sandbox.plantChange(cpf(1), { processes: 2 })
  const { allow } = await refuseChanges(t)
  expect(await trigger(t)).toBe(1)
  const { id } = await newest(t)
  await until(async () => {
    await takeRunFurther(t.tools, id).catch(() => {})
    return (await newest(t)).finishedAt !== null
  })

  expect(await newest(t)).toMatchObject({
    state: 'failed',
    detail: { portfolio: 'Clients', said: ['failed_thrice', 'broken by a test'] },
  })
  expect((await findPortfolio(t.sql, 'Clients'))!.dueAt).not.toBeNull()
  await allow()
  t.pass(31)
  expect(await run(t)).toMatchObject({ due: 3, verified: 3, changed: 1 })
})

test('a worker that is late with a run that has failed stores no figures, so the next run reports the change', async () => {
  await using t = await setupAhead()
  t.sandbox.plantChange(cpf(1), { processes: 1 })
  await addList(t, 'Clients', [cpf(1)], 'processes')
  await run(t)
  t.pass(31)
  t.sandbox.plantChange(cpf(1), { processes: 2 })
  const { sql, tools } = t
  await triggerPortfolios({ sql, clock: tools.clock, log: tools.log, enqueue: async () => {} })
  const { id } = await newest(t)
  const late = (await readRun(sql, id))!
  const { allow } = await refuseChanges(t)
  await until(async () => {
    await takeRunFurther(tools, id).catch(() => {})
    return (await newest(t)).finishedAt !== null
  })
  await allow()
  const [{ batch } = { batch: 0n }] = await sql<
    { batch: bigint }[]
  >`select batch_id as batch from vigia.sweep where id = ${id}`
  await finishRun(tools, late, (await readBatch(sql, batch))!)

  expect(await readSweep(sql, id)).toMatchObject({ state: 'failed' })
  t.pass(31)
  expect(await run(t)).toMatchObject({ due: 1, verified: 1, changed: 1 })
})
