import { expect, test } from 'vitest'
import { formatDocument, maskDocument } from '../../src/domain/document.ts'
import { en } from '../../src/messages/labels.ts'
import { addUpTotals, readKeptTotals } from '../../src/store/batches/risk.ts'
import { listAudit } from '../../src/views/installation.ts'
import { createFormat } from '../../src/writing/format.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { sharedWeb } from './setup.ts'

/** Answers are bought again for each file. */
const t = await sharedWeb({ config: { freshness: { analysis: '1s' }, purchases: { adopt: false } } })
const analyst = await t.operator('analyst')

const none = { count: 0, cents: 0 }
const figures = (defendant: number, execution: number, all = 0) => ({
  ALL: { count: 9, cents: all },
  ISDEFENDANT_WITH_RISK: defendant > 0 ? { count: 1, cents: defendant } : none,
  EXECUTION_WITH_RISK: execution > 0 ? { count: 2, cents: execution } : none,
  RISK_WORKER: none,
})

/** Three people: one is only a plaintiff, one a defendant, one in enforcement. */
const file = `nome;cpf;ref\nAutora Rica;${cpf(1)};A1\nRé Comum;${cpf(2)};B2\nExecutado Grande;${cpf(3)};C3\n`

t.sandbox.plantChange(cpf(1), { figures: figures(0, 0, 99_900_000_00) })
t.sandbox.plantChange(cpf(2), { figures: figures(10_000_00, 0) })
t.sandbox.plantChange(cpf(3), { figures: figures(1_000_00, 8_000_00) })
const id = await t.done(file)

const order = (page: string): string[] =>
  [1, 2, 3]
    .map((n) => ({ n: String(n), at: page.indexOf(maskDocument(cpf(n))) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ n }) => n)

test('the ranking puts the highest risk first, shows its breakdown, and can be weighted and filtered', async () => {
  const top = (query = '') => t.page(`/batches/${id}/risk/top${query}`, analyst)
  const first = await top()
  expect(order(first)).toEqual(['2', '3', '1'])
  expect(first).toContain('Defendant, at risk · 1')
  expect(first).toContain('R$9,000.00')
  expect(first).toContain('Exe*** Gr***')
  expect(first).toContain('C3')
  expect(order(await top('?EXECUTION_WITH_RISK=3&ISDEFENDANT_WITH_RISK=1'))).toEqual(['3', '2', '1'])
  expect(order(await top('?by=ALL'))[0]).toBe('1')
  expect(order(await top('?risk=1'))).toEqual(['2', '3'])
  expect(order(await top('?class=EXECUTION_WITH_RISK'))).toEqual(['3'])
  expect(order(await top('?amount=9.500,00'))).toEqual(['2'])
  expect(order(await top('?count=3'))).toEqual(['3'])
})

test('ranking, comparison and changes are downloaded as CSV and workbook, and the audit log records it', async () => {
  const taken = await (await t.call(`/batches/${id}/risk/ranking.csv?risk=1`, { token: analyst })).arrayBuffer()
  const [header, ...lines] = Buffer.from(taken).toString().trimEnd().split('\r\n')
  expect(header).toBe(
    '\uFEFFplace;line;document;name;ref;weighed_sum;ISDEFENDANT_WITH_RISK_count;ISDEFENDANT_WITH_RISK_value;ISDEFENDANT_WITH_RISK_weight;EXECUTION_WITH_RISK_count;EXECUTION_WITH_RISK_value;EXECUTION_WITH_RISK_weight',
  )
  expect(lines[0]).toBe(`1;3;${formatDocument(cpf(2))};Ré Comum;B2;10000,00;1;10000,00;1;0;0,00;1`)
  expect(lines).toHaveLength(2)
  expect(await t.page(`/batches/${id}/risk/ranking.xlsx`, analyst)).toMatch(/^PK/)
  expect((await listAudit(t.sql, 1))[0]).toMatchObject({
    what: 'download',
    subject: `batch ${id}`,
    detail: { file: 'ranking.xlsx' },
  })
})

test('two batches that share documents are compared: what is new, worse, better and cleared, per class', async () => {
  const earlier = id
  t.sandbox.plantChange(cpf(1), { figures: figures(5_000_00, 0, 99_900_000_00) })
  t.sandbox.plantChange(cpf(2), { figures: figures(0, 0) })
  await t.sql`update vigia.lookup set sending_at = now() - interval '2 days', finished_at = now() - interval '2 days', adopted_at = null
     where batch_id = ${earlier}`
  const later = await t.done(`cpf\n${[1, 2, 3].map(cpf).join('\n')}\n`, { freshSince: new Date() })
  const other = await t.done(`cpf\n${cpf(77)}\n`)
  const page = await t.page(`/batches/${later}/compare?with=${earlier}`, analyst)
  const offered = (from: string) => [...from.matchAll(/<option value="(\d+)"/g)].map(([, value]) => value)
  expect(offered(page)).toEqual([String(earlier)])
  const alone = await t.page(`/batches/${other}/compare?with=${earlier}`, analyst)
  expect(alone).toContain('No other analysis batch has documents in common with this one.')
  expect(alone).toContain('no answered documents in common')
  expect(page).toContain('3 documents have an answer in both')
  const defendant = /<th scope="row">Defendant, at risk<\/th>(.*?)<\/tr>/s.exec(page)![1]!
  expect([...defendant.matchAll(/>(\d+)</g)].map(([, count]) => count)).toEqual(['1', '0', '0', '1'])
  const csv = await t.page(`/batches/${later}/compare/${earlier}.csv`, analyst)
  expect(csv).toContain(`${formatDocument(cpf(1))};;;ISDEFENDANT_WITH_RISK_value;new;0,00;5000,00`)
})

test('the totals of a finished batch are stored, and computed again once another row is answered', async () => {
  const [first, ...others] = cpfs(4, 10)
  const id = await t.done(csvOf([first!, first!, ...others]))
  const kept = await until(() => readKeptTotals(t.sql, id))
  expect(kept).toEqual(await addUpTotals(t.sql, id))
  expect(kept).toMatchObject({ documents: 4, counts: expect.arrayContaining([expect.any(BigInt)]) })

  await t.sql`update vigia.answer set cents[1] = 123456789 where lookup_id = (select min(id) from vigia.lookup where batch_id = ${id})`
  const read = (piece: string) => t.page(`/batches/${id}/risk/${piece}`, analyst)
  expect(await read('top?by=ALL')).toContain('1,234,567.89')
  expect(await read('totals')).toContain(createFormat('UTC', en).cents(kept!.cents[0]!))

  await t.sql`update vigia.batch_count set rows = rows + 1 where batch_id = ${id} and state = 'ok'`
  expect(await readKeptTotals(t.sql, id)).toBeNull()
  expect(await addUpTotals(t.sql, id)).not.toEqual(kept)
})
