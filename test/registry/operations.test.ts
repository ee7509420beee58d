import { expect, test } from 'vitest'
import { classifications } from '../../src/domain/classifications.ts'
import { AccessDenied, InvalidDocument, NotFound, PlanBlocked } from '../../src/registry/errors.ts'
import { account, cpf, setup } from './setup.ts'

const cnpj = { type: 'CNPJ', number: '12ABC34501DE35' } as const

test('an analysis and what it consumed: not ready at first, then with its figures, and in a list that says if it is cut', async () => {
  await using t = await setup({}, { scenario: { readyAfterMs: 60_000 } })
  const ref = await t.registry.analyses.generate(cpf, account)
  const early = await t.registry.analyses.consult(ref, account)
  expect(early).toMatchObject({ ready: false })
  expect(early.seen).not.toBe('DONE/DONE/DONE')

  t.sandbox.setScenario({ readyAfterMs: 0 })
  const late = await t.registry.analyses.consult(ref, account)
  expect(late).toMatchObject({ ready: true, seen: 'DONE/DONE/DONE', asOf: expect.any(Date) })
  expect(late.summary?.counts).toHaveLength(classifications.length)
  expect(late.summary?.cents[0]).toBeTypeOf('bigint')
  expect(await t.registry.activities.list(account)).toMatchObject({
    complete: true,
    total: 1,
    analyses: [{ id: ref.id, uniqueId: ref.uniqueId, registryName: ref.fields.name, document: cpf.number }],
    consumption: [{ document: cpf.number, consume: 1 }],
  })
  await t.registry.analyses.generate(cnpj, account)
  t.sandbox.setScenario({ activities: { limit: 1 } })
  expect(await t.registry.activities.list(account)).toMatchObject({ complete: false, total: 2 })
})

test('licences, processes, radars and indicators', async () => {
  await using t = await setup({ scrPlanId: { in: 'query', name: 'planId' } }, { scenario: { readyAfterMs: 60_000 } })
  const { cnh, processes, radars, scr } = t.registry
  const waiting = { ready: false, seen: 'PROCESSING', note: 'The query is being processed' }
  expect(await scr.indicators(cpf, account)).toEqual(waiting)
  t.sandbox.setScenario({ readyAfterMs: 0 })
  expect(await scr.indicators(cpf, account)).toMatchObject({ ready: true, data: expect.any(Object) })

  expect(await cnh.latest(cpf, account)).toBeNull()
  const { requestId } = await cnh.request(cpf, account)
  expect(await cnh.read({ id: requestId, document: cpf.number }, account)).toMatchObject({ requestId })
  expect(await cnh.latest(cpf, account)).toMatchObject({ requestId, createdAt: expect.any(Date) })

  t.sandbox.plantChange(cpf.number, { processes: 17 })
  expect(await processes.count(cpf, account)).toMatchObject({ total: 17 })
  const number = '0058967-77.2016.8.19.0000'
  expect(await processes.inactivate(number, account)).toMatchObject({ status: 'INACTIVE' })
  expect([...t.sandbox.records.inactive.keys()]).toEqual([`${account.organizationId} ${number}`])
  const missing = processes.inactivate('0000000-00.0000.0.00.0000', account)
  await expect(missing).rejects.toMatchObject({ name: 'NotFound', finalState: 'not_found', retryable: false })

  await radars.add({ name: 'Fulano', code: cpf.number, type: 'CPF' }, account)
  const radar = { document: cpf.number, name: 'Fulano', type: 'CPF', active: true, createdAt: expect.any(Date) }
  expect(await radars.list(account)).toMatchObject({ complete: true, radars: [radar] })
})

test.each([{ alwaysOk: false }, { alwaysOk: true }])(
  'knows each refusal of the interface by its body (%o)',
  async (how) => {
    await using t = await setup({}, { scenario: { ...how, plans: { 31: { units: 0 } } } })
    const foreign = { organizationId: 7999, holderId: 599, planId: 39 }

    await expect(t.registry.analyses.generate(cpf, account)).rejects.toThrow(PlanBlocked)
    await expect(t.registry.radars.list(foreign)).rejects.toThrow(AccessDenied)
    await expect(t.registry.processes.inactivate('1', account)).rejects.toThrow(NotFound)
    await expect(t.registry.scr.indicators({ type: 'CPF', number: '11111111111' }, account)).rejects.toThrow(
      InvalidDocument,
    )
    expect(await t.registry.cnh.latest(cpf, account)).toBeNull()
  },
)

test('renews the token when asked', async () => {
  await using t = await setup()
  const { generation } = await t.registry.token.refresh()
  expect(generation).toBe(2)
  expect(t.vault.stored().token).not.toBe(t.sandbox.credentials.token)
})
