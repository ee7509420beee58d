import { expect, test } from 'vitest'
import { cpf, cpfs } from '../support/documents.ts'
import { addList, run, setupAhead } from './runs.ts'

test('a portfolio with more documents than a page holds is compared to its end', async () => {
  await using t = await setupAhead()
  await addList(t, 'Clients', cpfs(2_100))
  await run(t)
  t.sandbox.plantChange(cpf(5), { figures: { RISK_WORKER: { count: 2, cents: 123_456 } } })
  t.pass(31)
  await run(t)
  const changed = await t.sql`select distinct document from vigia.change`
  expect(changed).toEqual([{ document: cpf(5) }])
})
