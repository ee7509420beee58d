import { expect, test } from 'vitest'
import { readRowHistory } from '../../src/batches/own-rows.ts'
import { renderRowHistory } from '../../src/cli/lines/row.ts'
import { isRiskClass } from '../../src/domain/classifications.ts'
import { lookAtPerson } from '../../src/monitoring/read-person.ts'
import { readAnswer, toAnswerView } from '../../src/views/answer.ts'
import { toPersonView } from '../../src/views/person.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { type Setup, setup, sharedSetup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupWeb } from '../web/setup.ts'

const t = await sharedSetup()

/** The look-up of a document that was asked and answered. */
const answered = async (t: Setup, document: string): Promise<bigint> => {
  await t.finished(await t.submit(csvOf([document])))
  const [lookup] = await t.sql<{ id: bigint }[]>`select id from vigia.lookup where question = ${document}`
  return lookup!.id
}

const answerOf = async ({ sql }: Setup, id: bigint) => toAnswerView((await readAnswer(sql, id))!, 'analysis')

const classOf = (answer: Awaited<ReturnType<typeof answerOf>>, key: string) =>
  answer.classes?.find((each) => each.key === key)

test('an answer keeps what the registry sent beside its figures', async () => {
  const id = await answered(t, cpf(1))

  const [lookup] = await t.sql`select registry_name, estimated, remote_id from vigia.lookup where id = ${id}`
  const [answer] = await t.sql`select * from vigia.answer where lookup_id = ${id}`

  expect(lookup).toMatchObject({ registryName: expect.stringMatching(/\S+ \S+/), estimated: expect.any(Number) })
  expect(answer).toMatchObject({
    protestStatus: expect.stringMatching(/^[A-Z]+$/),
    plan: 'ANALYTICS',
    protestId: `protest-${lookup!.remoteId}`,
    bucket: 'sandbox-reports',
    folder: 'reports/7001',
    fileName: `${lookup!.remoteId}-full.xlsx`,
    partial: expect.stringMatching(/^\d+:$/),
    importantTerms: expect.arrayContaining([expect.any(String)]),
    rest: null,
  })
})

test('an answer that sent nothing else, or is older than these columns, is still read', async () => {
  const id = await answered(t, cpf(2))
  await t.sql`update vigia.lookup set registry_name = null, estimated = null, previous_id = null where id = ${id}`
  await t.sql`
    update vigia.answer set protest_status = null, plan = null, protest_id = null, bucket = null, folder = null,
           file_name = null, partial = null, important_terms = null, rest = null
     where lookup_id = ${id}`

  const answer = await answerOf(t, id)
  expect(answer).toMatchObject({ name: null, terms: [], fields: [], partialSpreadsheet: false })
  expect(answer.classes).toHaveLength(20)
})

test('protests that were not searched are no zero: the class is marked, and its figures are none', async () => {
  t.sandbox.setScenario({ searches: { protest: 'never' } })
  const answer = await answerOf(t, await answered(t, cpf(3)))
  t.sandbox.setScenario({ searches: {} })
  expect(answer.protestStatus).toBe('INITIAL')
  expect(classOf(answer, 'RISK_PROTEST')).toMatchObject({ count: null, value: null, searched: false })
  expect(answer.classes!.filter(({ key, searched }) => isRiskClass(key) && !searched)).toHaveLength(1)
})

test('debtors count as not searched where the list of purchases says so', async () => {
  const id = await answered(t, cpf(4))
  expect(classOf(await answerOf(t, id), 'RISK_DEBTOR')).toMatchObject({ searched: true })
  await t.sql`update vigia.answer set counts[9] = 0, debtor_status = 'INITIAL' where lookup_id = ${id}`
  expect(classOf(await answerOf(t, id), 'RISK_DEBTOR')).toMatchObject({ count: null, searched: false })
})

test('with waitForProtest an analysis waits for the search for protests, and is answered without it at its deadline', async () => {
  await using t = await setup({
    sandbox: { scenario: { searches: { protest: { afterMs: 400 } } } },
    config: { analysis: { waitForProtest: true }, polling: { first: '10ms', max: '100ms', deadline: '4s' } },
  })
  const searched = answered(t, cpf(1))
  await until(async () => (await t.sql`select from vigia.lookup where seen = 'DONE/DONE/DONE/INITIAL'`).length === 1)
  expect(await answerOf(t, await searched)).toMatchObject({ protestStatus: 'DONE' })

  t.sandbox.setScenario({ searches: { protest: 'never' } })
  const id = await answered(t, cpf(2))
  expect(await t.sql`select state, charged from vigia.lookup where id = ${id}`).toEqual([
    { state: 'ok', charged: 'yes' },
  ])
  expect(classOf(await answerOf(t, id), 'RISK_PROTEST')).toMatchObject({ searched: false })
})

test('while it waits, a row shows what the registry reported when it accepted the purchase', async () => {
  await using t = await setupWeb({
    sandbox: {
      scenario: {
        radars: { limit: 0 },
        faults: [
          { operation: 'consult', fault: 'stuckForever' },
          {
            operation: 'generate',
            fault: 'drift',
            drift: 'values',
            values: { 'result.totalProcessesEstimated': 1_234 },
          },
          { operation: 'radarAdd', fault: 'drift', drift: 'values', values: { name: 'Outra Pessoa' } },
        ],
      },
    },
  })
  const analysis = await t.submit(csvOf([cpf(1)]))
  const radar = await t.submit(csvOf([cpf(2)]), { kind: 'radar' })
  await until(async () => (await t.sql`select from vigia.lookup where state = 'waiting' and polls > 0`).length === 2)
  const shown = (batch: bigint) => readRowHistory(t.sql, batch, { line: 2 })
  expect((await shown(analysis)).lookup).toMatchObject({ estimated: 1_234, name: expect.stringContaining('***') })
  expect((await shown(radar)).lookup).toMatchObject({ estimated: null, name: 'Ou*** Pe***' })

  expect(renderRowHistory(await shown(analysis), 'UTC')).toMatch(/Court cases +1,234, as the registry estimates/)
  const token = await t.operator('analyst')
  const page = await (await t.call(`/batches/${analysis}/rows/2`, { token })).text()
  expect(page).toContain('No answer yet. The registry estimates 1,234 lawsuits; the answer will have the count.')
  const person = await lookAtPerson(t.sql, { type: 'CPF', number: cpf(1) }, { by: 'test' })
  const terms = { prices: null, retention: t.settings.retention }
  expect(toPersonView(person, terms).lookups).toMatchObject([{ estimated: 1_234, answer: null }])
})
