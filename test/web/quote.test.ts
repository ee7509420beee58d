import { expect, test } from 'vitest'
import { expectedSeconds } from '../../src/batches/quote.ts'
import { en } from '../../src/messages/labels.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { createFormat } from '../../src/writing/format.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupWeb } from './setup.ts'

const unitPrice = { amount: '1.90', currency: 'BRL' }

test('the quote on the page shows the expected time within its limit, and the price', async () => {
  await using t = await setupWeb({ config: { budget: { unitPrice } } })
  const token = await t.operator('ops')
  const id = await t.submit(csvOf(cpfs(2_000)), { confirmAbove: -1, maxSpend: 500 })
  await until(async () => (await readBatch(t.sql, id))?.state === 'unconfirmed')
  const work = {
    organizationId: t.sandbox.account.organizationId,
    kind: 'analysis' as const,
    bound: 16,
    firstLookMs: 20,
  }
  const seconds = await expectedSeconds(t.sql, { ...work, lookups: 500 })
  expect(seconds).toBeGreaterThan(0)
  const page = (await (await t.call(`/batches/${id}`, { token })).text()).replaceAll('\u00a0', ' ')
  expect(page).toContain(`<dt>Expected time</dt><dd>${createFormat('UTC', en).duration(seconds * 1_000)}</dd>`)
  expect(page).toContain('<dd class="hint">R$3,800.00</dd>')
  expect(page).toContain('Approve up to 500 (R$950.00) paid look-ups')
})

test('the buttons that spend send the cost they show, and are refused once the batch costs more', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const id = await t.submit(csvOf(cpfs(4)), { confirmAbove: -1 })
  await until(async () => (await readBatch(t.sql, id))?.state === 'unconfirmed')
  const press = (verb: string, atMost: number) =>
    t.call(`/batches/${id}/${verb}`, { token, method: 'POST', body: new URLSearchParams({ atMost: String(atMost) }) })
  const page = await (await t.call(`/batches/${id}`, { token })).text()
  expect(page).toContain('<input type="hidden" name="atMost" value="4">')
  expect(await (await press('confirm', 3)).text()).toContain('would now cost 4, but 3 were approved')
  expect(t.sandbox.charges()).toBe(0)
  expect((await press('confirm', 4)).status).toBe(303)
  await t.finished(id)

  await t.sql`update vigia.lookup set state = 'failed', remote_id = null where batch_id = ${id}`
  const asks = await (await t.call(`/batches/${id}/retry`, { token })).text()
  expect(asks).toContain('<input type="hidden" name="atMost" value="4">')
  expect(await (await press('retry', 3)).text()).toContain('would now cost 4, but 3 were approved')
  expect(await (await t.call('/batches/all/retry', { token })).text()).toContain(`name="ids" value="${id}:4"`)
  const pressAll = async (ids: string) => {
    const body = new URLSearchParams({ ids })
    return (await t.call('/batches/all/retry', { token, method: 'POST', body })).headers.get('location')
  }
  expect(await pressAll(`${id}:3`)).toBe('/batches?notice=passed_by')
  expect(await (await t.call('/batches?notice=passed_by', { token })).text()).toContain(en.notices.passed_by)
  expect(await t.sql`select from vigia.lookup where state = 'queued'`).toHaveLength(0)
  expect(await pressAll(`${id}:4`)).toBe('/batches')
  await t.finished(id)
})

test('a batch that was not approved has no progress in the list', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  await t.finished(await t.submit(csvOf(cpfs(3))))
  const id = await t.submit(csvOf([...cpfs(4), '12']), { confirmAbove: -1, fileName: 'next.csv' })
  await until(async () => (await readBatch(t.sql, id))?.state === 'unconfirmed')
  const page = await (await t.call('/batches', { token })).text()
  const row = new RegExp(`<tr id="batch-${id}">[\\s\\S]*?</tr>`).exec(page)![0]
  expect(row).toContain('class="progress-cell">–</td>')
  expect(row).not.toContain('%')
})

test('a charge is shown with its price', async () => {
  await using t = await setupWeb({ config: { budget: { unitPrice } } })
  const token = await t.operator('ops')
  const id = await t.submit(csvOf(cpfs(3)))
  await t.finished(id)
  const read = async (language: string) =>
    (await (await t.call(`/batches/${id}`, { token, headers: { 'accept-language': language } })).text()).replaceAll(
      '\u00a0',
      ' ',
    )
  expect(await read('en')).toContain('<dd class="hint">R$5.70</dd>')
  expect(await read('pt-BR')).toContain('<dd class="hint">R$ 5,70</dd>')
})
