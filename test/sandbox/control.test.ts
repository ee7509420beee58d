import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadScenario, presetNames } from '../../src/sandbox/scenario.ts'
import { cpf } from '../support/documents.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { setup, startProcess } from './ask.ts'

test('changes its scenario over HTTP, and names a key that it does not know', async () => {
  await using t = await setup()
  const faults = [{ operation: 'generate', fault: 'rateLimited' }]
  expect((await t.ask('POST', '/sandbox/scenario', { faults })).body).toMatchObject({ faults })
  expect((await t.generate(cpf(1))).status).toBe(429)

  const patch = { latnecy: {}, faults: [{ operation: 'buy', fault: 'hang' }], world: { list: { pages: 1 } } }
  const wrong = await t.ask('POST', '/sandbox/scenario', patch)
  expect(wrong.status).toBe(400)
  for (const key of [/latnecy/, /faults\[0\]\.operation/, /pages/]) expect(wrong.body.message).toMatch(key)
  expect((await t.generate(cpf(1))).status).toBe(429)
})

test('a patch leaves the keys that it does not name, and replaces those that it names', async () => {
  await using t = await setup({ scenario: { readyAfterMs: 5, world: { radars: { page: 1 } } } })
  t.sandbox.setScenario({ changeShare: 0.5, world: {} })
  const { body } = await t.ask('GET', '/sandbox/scenario')
  expect(body).toMatchObject({ readyAfterMs: 5, changeShare: 0.5, world: { radars: { page: null } } })
})

test('advances days, plants data and issues tokens over HTTP', async () => {
  await using t = await setup()
  expect((await t.ask('POST', '/sandbox/advance', { days: 3 })).body).toEqual({ day: 3 })
  expect((await t.ask('POST', '/sandbox/advance')).body).toEqual({ day: 4 })
  expect((await t.ask('POST', '/sandbox/advance', { days: 'many' })).status).toBe(400)
  await t.ask('POST', '/sandbox/plant', { document: cpf(1), processes: 12 })
  expect((await t.processCount(cpf(1))).body.total).toBe(12)
  await t.ask('POST', '/sandbox/radar', { code: cpf(1) })
  expect((await t.radarList()).body).toHaveLength(1)
  await t.ask('POST', '/sandbox/generated', { document: cpf(1) })
  await t.ask('POST', '/sandbox/requested', { document: cpf(1) })
  expect(t.sandbox.charges(cpf(1))).toBe(2)
  expect((await t.ask('POST', '/sandbox/token')).body).toEqual({ token: expect.stringContaining('sandbox-access-2') })
})

test('comes with scenarios, and says which file it cannot use, and why', async () => {
  for (const name of presetNames()) expect(() => loadScenario(name)).not.toThrow()
  const file = join(await temporaryFolder(), 'broken.json')
  expect(() => loadScenario('nowhere.json')).toThrow(/nowhere\.json is not a file or one of .*calm/)
  writeFileSync(file, '{')
  expect(() => loadScenario(file)).toThrow(/broken\.json is not JSON/)
  writeFileSync(file, '{ "fautls": [] }')
  expect(() => loadScenario(file)).toThrow(/fautls/)
})

test('runs as a separate process with a scenario, and ends on SIGTERM', async () => {
  await using sandbox = await startProcess('--scenario', 'plan-runs-out', '--ready-after', '0', '--ledger', 'summary')
  expect((await sandbox.generate(cpf(1))).status).toBe(201)
  expect((await sandbox.ask('GET', '/sandbox/scenario')).body).toMatchObject({ plans: { 31: { units: 100 } } })
  expect(await sandbox.end('SIGTERM')).toBe(0)
})
