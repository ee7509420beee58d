import { expect, test } from 'vitest'
import { takeRadarSweepFurther } from '../../src/monitoring/radar-sweep.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { insertSweep, readSweep } from '../../src/store/radars/sweeps.ts'
import { countUnverified } from '../../src/views/sweep.ts'
import { refuseChanges } from '../portfolios/runs.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { beginRadars, sweepRadars } from './sweep.ts'

const onlyProcesses = { radarSweep: { refresh: 'processes', analysisEvery: null } }
const timeouts = { look: 0, retry: 0, mostTries: 4, list: 60_000, window: 3_600_000 }

test('a radar sweep that fails three times in a row ends as failed with the reason, and the next one runs', async () => {
  await using t = await setup({ config: onlyProcesses })
  for (const code of cpfs(3)) t.sandbox.plantRadar({ code })
  t.sandbox.plantChange(cpf(1), { processes: 2 })
  await sweepRadars(t)
  t.sandbox.plantChange(cpf(1), { processes: 5 })
  const { allow } = await refuseChanges(t)

  const id = await beginRadars(t)
  const failures: unknown[] = []
  await until(async () => {
    const wait = await takeRadarSweepFurther(t.tools, id, { timeouts }).catch((error) => failures.push(error))
    return wait === null
  })

  expect(failures).toHaveLength(2)
  expect(await readSweep(t.sql, id)).toMatchObject({
    state: 'failed',
    detail: { said: ['failed_thrice', 'broken by a test'] },
  })
  await allow()
  expect(await sweepRadars(t)).toMatchObject({ state: 'done', verified: 3, changed: 1 })
})

test('failures that are not in a row, or that a lost connection caused, do not end a sweep', async () => {
  await using t = await setup({ config: onlyProcesses })
  t.sandbox.plantRadar({ code: cpf(1) })
  const id = await beginRadars(t)
  const broken = (error: Error) => ({
    ...t.tools,
    get accounts(): never {
      throw error
    },
  })
  const lost = Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' })
  for (let i = 0; i < 4; i++) await expect(takeRadarSweepFurther(broken(lost), id)).rejects.toThrow('lost')
  const fail = () => expect(takeRadarSweepFurther(broken(new Error('no')), id)).rejects.toThrow('no')
  await fail()
  await fail()
  t.sandbox.setScenario({ latency: { processCount: 60_000 } })
  await takeRadarSweepFurther(t.tools, id)
  await fail()
  await fail()
  expect(await readSweep(t.sql, id)).toMatchObject({ state: 'running' })
})

test('a sweep whose organization was removed from the settings ends, and reports why its radars were not verified', async () => {
  await using t = await setup({ config: onlyProcesses })
  const { organizationId } = t.sandbox.account
  for (const code of cpfs(3)) t.sandbox.plantRadar({ code })
  await sweepRadars(t)
  await holdLane(
    t.sql,
    { organizationId, kind: 'processes' },
    { cause: 'plan', reason: ['text', 'for a while'], trialAt: null },
    new Date(),
  )
  const gone = { ...t.tools, accounts: [] }
  const asked = await beginRadars(t)
  expect(await takeRadarSweepFurther(t.tools, asked, { timeouts })).not.toBeNull()
  expect(await takeRadarSweepFurther(gone, asked, { timeouts })).toBeNull()
  const unread = (await insertSweep(t.sql, { name: 'radars', slot: 'unread', trigger: 'operator', now: new Date() }))!
  await t.sql`insert into vigia.sweep_organization (sweep_id, organization_id) values (${unread}, ${organizationId})`
  expect(await takeRadarSweepFurther(gone, unread, { timeouts })).toBeNull()

  const why = `organization ${organizationId} is not in the settings`
  for (const id of [asked, unread]) {
    expect(await readSweep(t.sql, id)).toMatchObject({
      state: 'done',
      due: 3,
      verified: 0,
      detail: { unverified: { [why]: 3 } },
    })
    expect(await countUnverified(t.sql, id)).toEqual([{ message: ['organization_gone', organizationId], documents: 3 }])
  }
  expect((await readSweep(t.sql, unread))!.detail.organizations).toEqual([
    { organizationId, list: 'failed', reason: why },
  ])
})
