import { expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupWeb } from '../web/setup.ts'

test('one document is looked up by hand, is bought once, and needs approval unless the call gives it', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const lookUp = async (body: object, as = token) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await t.call('/api/lookups', { token: as, method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, text: await answer.text() }
  }
  const batchOf = ({ text }: { text: string }) => BigInt(JSON.parse(text).batch)

  const first = batchOf(await lookUp({ document: cpf(1), maxSpend: 1 }))
  expect(await t.finished(first)).toMatchObject({ state: 'done', name: 'look-up', spent: 1 })
  const row = await t.call(`/api/batches/${first}/rows/2`, { token })
  expect(await row.json()).toMatchObject({ state: 'ok', answer: { classes: expect.anything() } })
  const again = batchOf(await lookUp({ document: cpf(1) }))
  expect(await t.finished(again)).toMatchObject({ state: 'done', spent: 0 })
  expect(again).not.toBe(first)
  const free = await t.finished(batchOf(await lookUp({ document: cpf(2), kind: 'processes' })))
  expect(free).toMatchObject({ state: 'done' })
  expect(t.sandbox.charges()).toBe(1)

  const waits = batchOf(await lookUp({ document: cpf(2) }))
  await until(
    async () => (await t.sql`select from vigia.batch where id = ${waits} and state = 'unconfirmed'`).length > 0,
  )
  const refused = await lookUp({ document: `${cpf(1)}0`, maxSpend: 1 })
  expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/^(?!.*\d{11})/)])
  expect((await lookUp({ document: cpf(3), maxSpend: 1, organization: 99 })).status).toBe(422)
  expect((await lookUp({ document: cpf(3), maxSpend: 1 }, await t.operator('analyst'))).status).toBe(403)
  expect(t.sandbox.charges()).toBe(1)
})
