import { expect, test } from 'vitest'
import { readAnswer, toAnswerView } from '../../src/views/answer.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

test('an answer keeps what the registry sent beside its figures', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf([cpf(1)])))

  const [lookup] = await t.sql`select registry_name, estimated, remote_id from vigia.lookup`
  const [answer] = await t.sql`select * from vigia.answer`

  expect(lookup).toMatchObject({ registry_name: expect.stringMatching(/\S+ \S+/), estimated: expect.any(Number) })
  expect(answer).toMatchObject({
    protest_status: expect.stringMatching(/^[A-Z]+$/),
    plan: 'ANALYTICS',
    protest_id: `protest-${lookup!.remote_id}`,
    bucket: 'sandbox-reports',
    folder: 'reports/7001',
    file_name: `${lookup!.remote_id}-full.xlsx`,
    partial: expect.stringMatching(/^\d+:$/),
    important_terms: expect.arrayContaining([expect.any(String)]),
    rest: null,
  })
})

test('an answer that sent nothing else, or is older than these columns, is still read', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf([cpf(1)])))
  await t.sql`update vigia.lookup set registry_name = null, estimated = null, previous_id = null`
  await t.sql`
    update vigia.answer set protest_status = null, plan = null, protest_id = null, bucket = null, folder = null,
           file_name = null, partial = null, important_terms = null, rest = null`

  const [{ id } = { id: 0n }] = await t.sql<{ id: bigint }[]>`select id from vigia.lookup`
  const answer = toAnswerView((await readAnswer(t.sql, id))!, 'analysis')
  expect(answer).toMatchObject({ name: null, terms: [], fields: [], partialSpreadsheet: false })
  expect(answer.classes).toHaveLength(20)
})
