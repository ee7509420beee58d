import { expect, test } from 'vitest'
import { classifications } from '../../src/domain/classifications.ts'
import { AccessDenied, InvalidDocument, NotFound, PlanBlocked } from '../../src/registry/errors.ts'
import { account, cpf, setup } from './setup.ts'

const atOnce = { scenario: { readyAfterMs: 0 } }
const cnpj = { type: 'CNPJ', number: '12ABC34501DE35' } as const

test('generates an analysis, waits while it is not ready, and reads its summary when it is', async () => {
  await using t = await setup({}, { scenario: { readyAfterMs: 60_000 } })
  const ref = await t.registry.analyses.generate(cpf, account)
  const early = await t.registry.analyses.consult(ref, account)
  t.sandbox.setScenario({ readyAfterMs: 0 })
  const other = await t.registry.analyses.generate(cnpj, account)
  const late = await t.registry.analyses.consult(other, account)

  expect(early).toMatchObject({ ready: false })
  expect(early.seen).not.toBe('DONE/DONE/DONE')
  expect(late).toMatchObject({ ready: true, seen: 'DONE/DONE/DONE' })
  expect(late.summary?.counts).toHaveLength(classifications.length)
  expect(late.summary?.cents[0]).toBeTypeOf('bigint')
  expect(late.asOf).toBeInstanceOf(Date)
  expect(t.sandbox.charges(cpf.number)).toBe(1)
})

test('lists the analyses and the consumption of an organization', async () => {
  await using t = await setup({}, atOnce)
  const ref = await t.registry.analyses.generate(cpf, account)
  const list = await t.registry.activities.list(account)

  expect(list).toMatchObject({ complete: true, total: 1 })
  expect(list.analyses).toMatchObject([
    { id: ref.id, uniqueId: ref.uniqueId, registryName: ref.fields.name, document: cpf.number },
  ])
  expect(list.consumption).toMatchObject([{ document: cpf.number, consume: 1 }])
})

test('a list that was cut short does not count as complete', async () => {
  await using t = await setup({}, { scenario: { readyAfterMs: 0, activities: { limit: 1 } } })
  await t.registry.analyses.generate(cpf, account)
  await t.registry.analyses.generate(cnpj, account)

  expect(await t.registry.activities.list(account)).toMatchObject({ complete: false, total: 2 })
})

test('requests a CNH, reads it, and finds it again as the latest of its CPF', async () => {
  await using t = await setup({}, atOnce)
  const none = await t.registry.cnh.latest(cpf, account)
  const asked = await t.registry.cnh.request(cpf, account)
  const read = await t.registry.cnh.read({ id: asked.requestId, document: cpf.number }, account)
  const latest = await t.registry.cnh.latest(cpf, account)

  expect(none).toBeNull()
  expect(read?.requestId).toBe(asked.requestId)
  expect(latest).toMatchObject({ requestId: asked.requestId })
  expect(latest?.createdAt).toBeInstanceOf(Date)
})

test('counts processes, and inactivates the ones that exist', async () => {
  await using t = await setup()
  t.sandbox.plantChange(cpf.number, { processes: 17 })
  expect(await t.registry.processes.count(cpf, account)).toMatchObject({ total: 17 })

  const number = '0058967-77.2016.8.19.0000'
  expect(await t.registry.processes.inactivate(number, account)).toMatchObject({ status: 'INACTIVE' })
  expect([...t.sandbox.records.inactive.keys()]).toEqual([`${account.organizationId} ${number}`])
  const missing = t.registry.processes.inactivate('0000000-00.0000.0.00.0000', account)
  await expect(missing).rejects.toThrow(NotFound)
  await expect(missing).rejects.toMatchObject({ finalState: 'not_found', retryable: false })
})

test('adds a radar and finds it in the list', async () => {
  await using t = await setup()
  await t.registry.radars.add({ name: 'Fulano', code: cpf.number, type: 'CPF' }, account)
  const { complete, radars } = await t.registry.radars.list(account)

  expect(complete).toBe(true)
  expect(radars).toMatchObject([{ document: cpf.number, name: 'Fulano', type: 'CPF', active: true }])
  expect(radars[0]?.createdAt).toBeInstanceOf(Date)
})

test('waits for the SCR indicators, then has them', async () => {
  await using t = await setup({ scrPlanId: { in: 'query', name: 'planId' } }, { scenario: { readyAfterMs: 60_000 } })
  const waiting = await t.registry.scr.indicators(cpf, account)
  t.sandbox.setScenario({ readyAfterMs: 0 })
  await t.registry.scr.indicators(cnpj, account)
  const ready = await t.registry.scr.indicators(cnpj, account)

  expect(waiting).toEqual({ ready: false, seen: 'PROCESSING', note: 'The query is being processed' })
  expect(ready).toMatchObject({ ready: true, data: expect.any(Object) })
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
