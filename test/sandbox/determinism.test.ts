import { fc, test as prop } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { figuresOf, processCountOf, summaryOf } from '../../src/sandbox/data/risk.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { callsTo, setup } from './ask.ts'

const epoch = { seed: 1, day: 0, changeShare: 0.02 }

const roughRun = async (seed: number): Promise<string[]> => {
  const faults = [
    { operation: 'all', fault: 'serverError', share: 0.2 },
    { operation: 'generate', fault: 'serverErrorAfter', share: 0.2, status: 502 },
  ] as const
  await using t = await setup({ seed, scenario: { faults: [...faults] } })
  const shown: string[] = []
  for (const document of cpfs(40)) {
    const { status, text } = await t.generate(document)
    shown.push(`${status} ${text}`, (await t.processCount(document)).text)
  }
  return shown
}

test('the same seed and the same requests give the same run, another seed another one', async () => {
  const first = await roughRun(7)
  expect(await roughRun(7)).toEqual(first)
  expect(await roughRun(8)).not.toEqual(first)
})

test('a document has the same risk in another sandbox and for another organization', async () => {
  await using here = await setup()
  await using there = await setup()
  const other = callsTo(there.sandbox.url, {
    account: there.sandbox.accounts[1],
    token: there.sandbox.credentials.token,
  })
  const summaryBy = async ({ analyze }: Pick<typeof other, 'analyze'>, document: string) =>
    (await (await analyze(document)).consult()).summary
  await there.generate(cpf(99))
  for (const document of cpfs(10)) expect(await summaryBy(other, document)).toEqual(await summaryBy(here, document))
})

prop.prop([fc.nat(99_999_999), fc.nat(400)])('the figures of a document add up', (n, day) => {
  const figures = figuresOf(cpf(n), { ...epoch, day })
  const sum = (...keys: (keyof typeof figures)[]) => ({
    count: keys.reduce((total, key) => total + figures[key].count, 0),
    cents: keys.reduce((total, key) => total + figures[key].cents, 0),
  })
  expect(sum('ISDEFENDANT', 'ISAUTHOR', 'PERSON_NOT_CLASSIFIED')).toEqual(figures.ALL)
  expect(sum('LITIGATION', 'RISK_EXECUTION')).toEqual(figures.ALL)
  expect(
    sum('IS_ACTIVE_WITH_RISK', 'IS_ACTIVE_WITHOUT_RISK', 'IS_INACTIVE_WITH_RISK', 'IS_INACTIVE_WITHOUT_RISK'),
  ).toEqual(figures.ALL)
  expect(sum('IS_ACTIVE_WITH_RISK', 'IS_INACTIVE_WITH_RISK')).toEqual(
    sum('ISDEFENDANT_WITH_RISK', 'ISAUTHOR_WITH_RISK', 'PERSON_NOT_CLASSIFIED_WITH_RISK'),
  )
  expect(figures.ALL.count).toBe(processCountOf(cpf(n), { ...epoch, day }))
})

test('amounts come in both conventions', () => {
  const texts = cpfs(50).flatMap((document) => Object.values(summaryOf(document, epoch)).map((it) => it.vltotalProcess))
  for (const text of texts) expect(text).toMatch(/^(\d+\.\d\d|\d{1,3}(\.\d{3})*,\d\d)$/)
  expect(texts.some((text) => /\.\d{3},/.test(text))).toBe(true)
  expect(texts.some((text) => /\d{4,}\.\d\d$/.test(text))).toBe(true)
})

test('about two in a hundred documents change with each simulated day, and none where the scenario says so', () => {
  const documents = cpfs(2000)
  const at = (day: number, changeShare: number) =>
    documents.map((document) => JSON.stringify(figuresOf(document, { ...epoch, day, changeShare })))
  const [before, after, still] = [at(10, 0.02), at(11, 0.02), at(11, 0)]
  const changed = before.filter((text, i) => text !== after[i]).length
  expect(changed).toBeGreaterThan(20)
  expect(changed).toBeLessThan(60)
  expect(still).toEqual(at(0, 0.02))
})

test('a planted change shows exactly what was planted, and can be removed', async () => {
  await using t = await setup()
  const { consult } = await t.analyze(cpf(1))
  const read = async () => (await consult()).summary
  const own = await read()

  t.sandbox.plantChange(cpf(1), { figures: { RISK_CRIMINAL: { count: 9, cents: 0 } }, processes: 77 })
  t.sandbox.plantChange(cpf(1), { figures: { ALL: { count: 80, cents: 0 } } })

  const planted = await read()
  expect(planted).toMatchObject({ RISK_CRIMINAL: { totalProcess: 9 }, ALL: { totalProcess: 80 } })
  expect({ ...planted, RISK_CRIMINAL: null, ALL: null }).toEqual({ ...own, RISK_CRIMINAL: null, ALL: null })
  expect((await t.processCount(cpf(1))).body.total).toBe(77)

  t.sandbox.plantChange(cpf(1), null)
  expect(await read()).toEqual(own)
})

test('radars can be planted, renamed, deactivated and removed without the client', async () => {
  await using t = await setup()
  const { id } = t.sandbox.plantRadar({ code: cpf(1), name: 'Before' })
  const gone = t.sandbox.plantRadar({ code: cpf(2) })
  t.sandbox.changeRadar(id, { name: 'After', active: false })
  t.sandbox.removeRadar(gone.id)
  const [link, ...others] = (await t.radarList()).body
  expect(link?.radar).toMatchObject({ id, code: cpf(1), name: 'After', active: false })
  expect(others).toEqual([])
})
