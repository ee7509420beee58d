import { expect, test } from 'vitest'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb({ config: { budget: { unitPrice: { amount: '1.90', currency: 'BRL' } } } })
const analyst = await t.operator('analyst')
const id = await t.done(csvOf(cpfs(4)))
await t.running.stop()
await t.sql`update vigia.batch set finished_at = null, exported_at = null, state = 'running'`
await t.sql`update vigia.lookup set state = 'unknown_outcome', charged = 'unknown' where question = ${cpf(1)}`
await t.sql`
  update vigia.lookup set state = 'sending', charged = 'unknown', finished_at = null, as_of = null, due_at = now()
   where question in ${t.sql([cpf(2), cpf(3)])}`
await t.sql`update vigia.batch_count set rows = 1`
await t.sql`insert into vigia.batch_count values (${id}, 'unknown_outcome', 1)`
await t.sql`
  insert into vigia.purchase (organization_id, kind, remote_id, document, dated, status, list_snapshot_id)
  values (${t.sandbox.account.organizationId}, 'analysis', 'listed', ${cpf(1)}, '15/11/2026', 'DONE', 0)`

test('unknown outcomes are the same figure on the batch, on the page of parked purchases and in the metrics', async () => {
  expect((await t.json(`/api/batches/${id}`, analyst)).inDoubt).toBe(3)
  expect(await t.page('/metrics', '')).toMatch(/^vigia_in_doubt_rows 3$/m)
  const page = (await t.page('/parked', analyst)).replaceAll(/\s+/g, ' ')
  expect(page).toContain('<dt>Paid calls with an unknown outcome</dt><dd><strong>3</strong></dd>')
  expect(page).toContain('<dt>Awaiting a decision, below</dt><dd>1</dd>')
  expect(page).toContain('<dt>Being checked by Vigia: nothing to do</dt><dd>2</dd>')
})

test('a parked row offers the purchases of its document in the registry’s list, with the cost of each choice', async () => {
  const admin = await t.operator('admin')
  for (const path of ['/parked', `/batches/${id}/rows/3`]) {
    const page = await t.page(path, admin)
    expect(page).toContain('<code>listed</code>')
    expect(page).toContain('15/11/2026')
    expect(page).toContain('Adopt this one')
    expect(page).toContain('data-ask="Send it again for 1 paid look-up.')
    expect(page).toMatch(/Extra paid look-ups: 1 \(R\$1\.90\)/)
    expect(page).not.toContain(cpf(1))
    expect(await t.page(path, admin, 'pt-BR')).toContain('Adotar esta')
  }
  const seen = await t.page('/parked', analyst)
  expect(seen).toContain('<code>listed</code>')
  expect(seen).not.toContain('Adopt this one')
})
