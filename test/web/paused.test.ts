import { expect, test } from 'vitest'
import { type SteeringVerb, takesAction } from '../../src/domain/batch.ts'
import { en } from '../../src/messages/labels.ts'
import { takes } from '../../src/store/batches/batch-actions.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb()
const token = await t.operator('ops')

const verbs: SteeringVerb[] = ['confirm', 'pause', 'resume', 'cancel', 'retry']

test('page, API and command line offer a paused batch the same actions, and it stays paused', async () => {
  const { running, unconfirmed } = await pausedBatches()
  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'fatal' }
  const offered = async (id: bigint) => {
    const page = await t.page(`/batches/${id}`, token)
    return verbs.filter((verb) => page.includes(`"/batches/${id}/${verb}"`))
  }
  expect(await offered(running)).toEqual(['resume', 'cancel', 'retry'])
  expect(await offered(unconfirmed)).toEqual(['confirm', 'resume', 'cancel'])
  expect(await t.page('/batches/all/retry', token)).toContain(`name="ids" value="${running}:1"`)

  expect((await t.post(`/api/batches/${unconfirmed}/retry`, token)).status).toBe(409)
  expect((await call(['retry', `${unconfirmed}`, '--yes'], env)).stderr).toContain('is unconfirmed, so ')
  expect(await (await t.post(`/api/batches/${unconfirmed}/confirm`, token)).json()).toMatchObject({ state: 'paused' })
  expect(await readBatch(t.sql, unconfirmed)).toMatchObject({ state: 'running', shown: 'paused' })
  expect(await t.page(`/batches/${unconfirmed}?notice=confirmed`, token)).toContain(en.notices.confirmed)
  expect(await offered(unconfirmed)).toEqual(['resume', 'cancel', 'retry'])

  const retried = await call(['retry', `${running}`, '--yes'], env)
  expect(retried.stdout).toContain(`1 row will be retried. It stays paused until \`vigia resume ${running}\`.`)
  await failOne(running)
  expect(await (await t.post(`/api/batches/${running}/retry`, token)).json()).toMatchObject({ retried: 1 })
  expect(await readBatch(t.sql, running)).toMatchObject({ state: 'running', shown: 'paused' })
})

test('the database offers every batch the actions that the rule offers', async () => {
  const id = await t.done(csvOf(cpfs(1, 20)), { kind: 'processes' })
  for (const state of ['importing', 'unconfirmed', 'running', 'done', 'cancelled', 'rejected'] as const) {
    for (const isPaused of [false, true]) {
      const isOver = !['importing', 'unconfirmed', 'running'].includes(state)
      await t.sql`
        update vigia.batch set state = ${state}, paused_at = case when ${isPaused} then now() end,
               finished_at = case when ${isOver} then now() end where id = ${id}`
      const batch = (await readBatch(t.sql, id))!
      for (const verb of verbs) {
        const [row] = await t.sql<
          { taken: boolean }[]
        >`select ${takes(t.sql, verb)} as taken from vigia.batch b where id = ${id}`
        expect({ state, isPaused, verb, ...row }).toEqual({ state, isPaused, verb, taken: takesAction(verb, batch) })
      }
    }
  }
})

/** A started batch and one that needs approval, both paused, with a failed row each; their lane is held. */
const pausedBatches = async () => {
  await t.sql`
    insert into vigia.lane (organization_id, kind, cause, message, trials)
    values (${t.sandbox.account.organizationId}, 'analysis', 'operator', '["text", "contract under review"]', 0)`
  const running = await t.submit(csvOf(cpfs(3)))
  const unconfirmed = await t.submit(csvOf(cpfs(3, 10)), { confirmAbove: 0 })
  for (const id of [running, unconfirmed]) await until(async () => (await readBatch(t.sql, id))!.importedAt)
  await failOne(running)
  await failOne(unconfirmed, cpf(10))
  await t.sql`update vigia.batch set paused_at = now()`
  return { running, unconfirmed }
}

const failOne = async (id: bigint, document = cpf(0)): Promise<void> => {
  await t.sql`
    update vigia.lookup set state = 'failed', finished_at = now(), due_at = null where question = ${document} and current`
  await t.sql`
    insert into vigia.batch_count (batch_id, state, rows) values (${id}, 'failed', 1)
        on conflict (batch_id, state) do update set rows = 1`
}
