import { expect, test } from 'vitest'
import { cpf, cpfs } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { addList, run } from './runs.ts'

const day = 86_400_000

test('a portfolio with more documents than a page holds is compared to its end', async () => {
  let ahead = 0
  await using t = await setup({ clock: () => new Date(Date.now() + ahead) })
  await addList(t, 'Clients', cpfs(2_100))
  await run(t)
  t.sandbox.plantChange(cpf(5), { figures: { RISK_WORKER: { count: 2, cents: 123_456 } } })
  ahead = 31 * day
  await run(t)
  const changed = await t.sql`select distinct document from vigia.change`
  expect(changed).toEqual([{ document: cpf(5) }])
}, 300_000)
