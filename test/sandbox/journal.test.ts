import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cpf, cpfs } from '../support/documents.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { callsTo, setup, startProcess } from './ask.ts'

const temporaryFile = async () => join(await temporaryFolder(), 'journal.jsonl')

test('keeps every answered charge through a SIGKILL of its process', async () => {
  const journal = await temporaryFile()
  await using first = await startProcess('--journal', journal)
  const answered: number[] = []
  const enough = Promise.withResolvers<void>()
  const note = (id: number) => answered.push(id) === 50 && enough.resolve()
  const calls = cpfs(400).map((document) =>
    first.generate(document).then(
      ({ body }) => note(body.result.userPlanConsumeAnalyticsId),
      () => {},
    ),
  )
  await enough.promise
  expect(await first.end('SIGKILL')).toBe('SIGKILL')
  await Promise.all(calls)

  await using second = await startProcess('--journal', journal)
  const list = (await second.activities()).body
  const known = list.result.flatMap((item) => item.userPlanConsumeAnalytics.map((it) => it.userPlanConsumeAnalyticsId))
  expect(known).toEqual(expect.arrayContaining(answered))
  expect((await second.generate(cpf(500))).body.result.userPlanConsumeAnalyticsId).toBe(Math.max(...known) + 1)
})

test('restores analyses, licences, radars, tokens, planted data, the day and the scenario', async () => {
  const journal = await temporaryFile()
  const before = await setup({ journal })
  const { result } = (await before.generate(cpf(1))).body
  const { requestId } = (await before.cnhCreate(cpf(1))).body
  const radar = before.sandbox.plantRadar({ code: cpf(1) })
  await before.radarAdd(cpf(2))
  before.sandbox.removeRadar(radar.id)
  await before.inactivate('0058967-77.2016.8.19.0000')
  const token = before.sandbox.giveToken()
  before.sandbox.plantChange(cpf(1), { processes: 42 })
  before.sandbox.advanceDays(3)
  before.sandbox.setScenario({ plans: { 31: { units: 2 } } })
  await before.sandbox.close()

  await using after = await setup({ journal })
  const again = callsTo(after.sandbox.url, { account: after.sandbox.account, token })
  const consulted = await again.consult(result.userPlanConsumeAnalyticsId, result.userPlanConsumeUniqueId)
  expect(consulted.body.register.status).toBe('DONE')
  expect((await again.cnhRead(requestId)).body.requestId).toBe(requestId)
  expect((await again.radarList()).body.map((link) => link.radar.code)).toEqual([cpf(2)])
  expect((await again.processCount(cpf(1))).body.total).toBe(42)
  expect((await again.generate(cpf(3))).body).toMatchObject({ status: 'PLAN_NOT_ALLOWED' })
  expect(after.sandbox.records.day).toBe(3)
  expect(after.sandbox.records.inactive.size).toBe(1)
  expect(after.sandbox.charges(cpf(1))).toBe(2)
})

test('drops an incomplete last line, and continues after the last complete one', async () => {
  const journal = await temporaryFile()
  const before = await setup({ journal })
  await before.generate(cpf(1))
  await before.sandbox.close()
  appendFileSync(journal, '{"type":"analysis","analysis":{"id":90000')

  const torn = await setup({ journal })
  expect(torn.sandbox.charges()).toBe(1)
  await torn.generate(cpf(2))
  await torn.sandbox.close()

  await using after = await setup({ journal })
  expect(after.sandbox.charges()).toBe(2)
  expect(readFileSync(journal, 'utf8').endsWith('}\n')).toBe(true)
})

test('refuses a journal that is damaged in the middle, and names the line', async () => {
  const journal = await temporaryFile()
  appendFileSync(journal, '{"type":"day","day":1}\nnonsense\n')
  await expect(setup({ journal })).rejects.toThrow(/Line 2 of the sandbox journal/)
})
