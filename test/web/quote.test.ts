import { expect, test } from 'vitest'
import { expectedSeconds } from '../../src/batches/quote.ts'
import { en } from '../../src/messages/labels.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { createFormat } from '../../src/writing/format.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { sharedWeb } from './setup.ts'

const unitPrice = { amount: '1.90', currency: 'BRL' }
const t = await sharedWeb({ config: { budget: { unitPrice } } })
const ops = await t.operator('ops')

test('the quote on the page shows the expected time within its limit, and the price', async () => {
  const id = await t.unconfirmed(csvOf(cpfs(2_000, 1_000)), { maxSpend: 500 })
  const { organizationId } = t.sandbox.account
  const work = { organizationId, kind: 'analysis' as const, lookups: 500 }
  const seconds = await expectedSeconds(t.sql, { ...work, bound: 16, firstLookMs: 20 })
  expect(seconds).toBeGreaterThan(0)
  const page = (await t.page(`/batches/${id}`, ops)).replaceAll('\u00a0', ' ')
  expect(page).toContain(`<dt>Expected time</dt><dd>${createFormat('UTC', en).duration(seconds * 1_000)}</dd>`)
  expect(page).toContain('<dd class="hint">R$3,800.00</dd>')
  expect(page).toContain('Approve up to 500 (R$950.00) paid look-ups')
})

test('the buttons that spend send the cost they show, and are refused once the batch costs more', async () => {
  const id = await t.unconfirmed(csvOf(cpfs(4)))
  const press = (verb: string, atMost: number) => t.post(`/batches/${id}/${verb}`, ops, { atMost: String(atMost) })
  const page = await t.page(`/batches/${id}`, ops)
  expect(page).toContain('<input type="hidden" name="atMost" value="4">')
  expect(await (await press('confirm', 3)).text()).toContain('would now cost 4, but 3 were approved')
  expect(await readBatch(t.sql, id)).toMatchObject({ spent: 0 })
  expect((await press('confirm', 4)).status).toBe(303)
  await t.finished(id)

  await t.sql`update vigia.lookup set state = 'failed', remote_id = null where batch_id = ${id}`
  const asks = await t.page(`/batches/${id}/retry`, ops)
  expect(asks).toContain('<input type="hidden" name="atMost" value="4">')
  expect(await (await press('retry', 3)).text()).toContain('would now cost 4, but 3 were approved')
  expect(await t.page('/batches/all/retry', ops)).toContain(`name="ids" value="${id}:4"`)
  const pressAll = async (ids: string) => {
    const body = new URLSearchParams({ ids })
    return (await t.call('/batches/all/retry', { token: ops, method: 'POST', body })).headers.get('location')
  }
  expect(await pressAll(`${id}:3`)).toBe('/batches?notice=passed_by')
  expect(await t.page('/batches?notice=passed_by', ops)).toContain(en.notices.passed_by)
  expect(await t.sql`select from vigia.lookup where state = 'queued' and batch_id = ${id}`).toHaveLength(0)
  expect(await pressAll(`${id}:4`)).toBe('/batches')
  await t.finished(id)
})

test('a batch that was not approved has no progress in the list', async () => {
  await t.done(csvOf(cpfs(3, 10)))
  const id = await t.unconfirmed(csvOf([...cpfs(4, 20), '12']), { fileName: 'next.csv' })
  const page = await t.page('/batches', ops)
  const row = new RegExp(`<tr id="batch-${id}">[\\s\\S]*?</tr>`).exec(page)![0]
  expect(row).toContain('class="progress-cell">–</td>')
  expect(row).not.toContain('%')
})

test('a charge is shown with its price', async () => {
  const id = await t.done(csvOf(cpfs(3, 40)))
  const read = async (language: string) => (await t.page(`/batches/${id}`, ops, language)).replaceAll('\u00a0', ' ')
  expect(await read('en')).toContain('<dd class="hint">R$5.70</dd>')
  expect(await read('pt-BR')).toContain('<dd class="hint">R$ 5,70</dd>')
})
