import { expect, test } from 'vitest'
import { isRiskClass } from '../../src/domain/classifications.ts'
import { readAnswer, toAnswerView } from '../../src/views/answer.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const answerOf = async (t: Setup) => {
  const [{ id } = { id: 0n }] = await t.sql<{ id: bigint }[]>`select id from vigia.lookup`
  return toAnswerView((await readAnswer(t.sql, id))!, 'analysis')
}

const classOf = (answer: Awaited<ReturnType<typeof answerOf>>, key: string) =>
  answer.classes?.find((each) => each.key === key)

test('protests that were not searched are no zero: the class is marked, and its figures are none', async () => {
  await using t = await setup({ sandbox: { scenario: { searches: { protest: 'never' } } } })
  await t.finished(await t.submit(csvOf([cpf(1)])))
  const answer = await answerOf(t)
  expect(answer.protestStatus).toBe('INITIAL')
  expect(classOf(answer, 'RISK_PROTEST')).toMatchObject({ count: null, value: null, searched: false })
  expect(answer.classes!.filter(({ key, searched }) => isRiskClass(key) && !searched)).toHaveLength(1)
})

test('with waitForProtest an analysis waits for the search for protests', async () => {
  await using t = await setup({
    sandbox: { scenario: { searches: { protest: { afterMs: 1_500 } } } },
    config: { analysis: { waitForProtest: true } },
  })
  const batch = await t.submit(csvOf([cpf(1)]))
  await until(async () => (await t.sql`select from vigia.lookup where seen = 'DONE/DONE/DONE/INITIAL'`).length === 1)
  await t.finished(batch)
  expect(await answerOf(t)).toMatchObject({ protestStatus: 'DONE' })
})

test('with waitForProtest an analysis that never searches them is answered at its deadline', async () => {
  await using t = await setup({
    sandbox: { scenario: { searches: { protest: 'never' } } },
    config: { analysis: { waitForProtest: true }, polling: { first: '10ms', max: '50ms', deadline: '2s' } },
  })
  await t.finished(await t.submit(csvOf([cpf(1)])))
  const rows = await t.sql`select state, charged from vigia.lookup`
  expect(rows).toEqual([{ state: 'ok', charged: 'yes' }])
  expect(classOf(await answerOf(t), 'RISK_PROTEST')).toMatchObject({ searched: false })
})

test('debtors count as not searched where the list of purchases says so', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf([cpf(1)])))
  expect(classOf(await answerOf(t), 'RISK_DEBTOR')).toMatchObject({ searched: true })
  await t.sql`update vigia.answer set counts[9] = 0, debtor_status = 'INITIAL'`
  expect(classOf(await answerOf(t), 'RISK_DEBTOR')).toMatchObject({ count: null, searched: false })
})
