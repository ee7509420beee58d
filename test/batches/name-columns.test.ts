import { expect, test } from 'vitest'
import { collectRows, keepNames } from '../../src/batches/own-rows.ts'
import { riskChanges } from '../../src/domain/risk-change.ts'
import { addUpTotals, readRanking } from '../../src/store/batches/risk.ts'
import { cpf } from '../support/documents.ts'
import { sharedGround } from './ground.ts'

const t = sharedGround()

const names = [
  ['Ana Souza', 'ANA SOUZA'],
  ['Ana Souza', 'Ana Maria Souza'],
  ['"Souza, Ana"', 'Bruno; "Lima"'],
  ['', 'Eva Rocha'],
  ['Eva Rocha', null],
]
const file = `nome;cpf\n${names.map(([given], i) => `${given};${cpf(i)}`).join('\n')}\n`

const answered = async (content: string) => {
  const batch = await t.answered(content)
  for (const [i, [, registered]] of names.entries()) {
    await t.sql`update vigia.lookup set registry_name = ${registered!} where question = ${cpf(i)}`
  }
  await t.sql`update vigia.answer set protest_status = 'DONE', important_terms = array['=penhora', 'execução; fiscal']`
  return batch
}

const cellsOf = async (id: bigint, name: string) => (await t.sheets(id))[name]!.map(({ cells }) => cells)

test('the report has the name of the registry, how it compares with that of the row, and what else it sent', async () => {
  const { id } = await answered(file)
  const rows = await t.report(id)

  const headers = Object.keys(rows[0]!)
  expect(headers.slice(headers.indexOf('result_id') + 1, headers.indexOf('ALL_count'))).toEqual([
    ...['registry_name', 'name_match', 'protest_status', 'important_terms'],
  ])
  expect(rows.map((row) => [row.registry_name, row.name_match])).toEqual([
    ['ANA SOUZA', 'same'],
    ['Ana Maria Souza', 'similar'],
    ['Bruno; "Lima"', 'different'],
    ['Eva Rocha', ''],
    ['', ''],
  ])
  const terms = { protest_status: 'DONE', important_terms: `'=penhora | execução; fiscal`, ALL_count: '7' }
  expect(rows[0]).toMatchObject(terms)

  const [header, ...sheet] = await cellsOf(id, 'Results')
  const at = header!.indexOf('Name at the registry')
  expect(header!.slice(at, at + 4)).toEqual(['Name at the registry', 'Name', 'Search for protests', 'Important terms'])
  expect(sheet.map((cells) => cells[at + 1])).toEqual(['same', 'similar', 'different', '', ''])
  expect(sheet[0]!.slice(at + 2, at + 5)).toEqual(['DONE', '=penhora | execução; fiscal', '7'])
  expect(await cellsOf(id, 'Summary')).toContainEqual(expect.arrayContaining(['1 name differs', '1']))
})

test('without a column of names there is nothing to compare', async () => {
  const { id } = await answered(`cpf\n${cpf(0)}\n${cpf(1)}\n`)
  expect((await t.report(id)).map((row) => [row.registry_name, row.name_match])).toEqual([
    ['ANA SOUZA', ''],
    ['Ana Maria Souza', ''],
  ])
})

test('rows are found by how their name compares, across pages', async () => {
  const many = Array.from({ length: 1_200 }, (_, i) => `Ana Souza;${cpf(i)}`)
  const batch = await t.answered(`nome;cpf\n${many.join('\n')}\n`)
  await t.sql`
    update vigia.lookup set registry_name = case when question = any(${[cpf(3), cpf(1_100)]}::text[]) then 'Eva Rocha' else 'ANA SOUZA' end`
  const lines: number[] = []
  for (let after: number | null = 0; after !== null; ) {
    const found = await collectRows(t.sql, batch.id, {}, after, { keep: keepNames(t.sql, batch, 'different') })
    lines.push(...found.rows.map(({ line }) => line))
    after = found.next
  }
  expect(lines).toEqual([5, 1_102])
  const same = await collectRows(t.sql, batch.id, {}, 0, { size: 10, keep: keepNames(t.sql, batch, 'same') })
  expect([same.rows.length, same.next]).toEqual([10, 12])
})

test('a class that was not searched is marked in the workbook and in the ranking, and is never clear', async () => {
  const { id } = await answered(file)
  await t.sql`
    update vigia.answer set protest_status = 'INITIAL', counts = array_fill(0, array[20]), cents = array_fill(0::bigint, array[20])`
  const [header, first] = await cellsOf(id, 'Results')
  const columns = ['Risk', 'Protested debts (count)', 'Protested debts (R$)', 'All lawsuits (count)']
  const found = columns.map((name) => first![header!.indexOf(name)])
  expect(found).toEqual(['', 'not searched', 'not searched', '0'])
  const [ranked] = await readRanking(t.sql, id, { weights: { RISK_PROTEST: 1 } }, 5)
  expect(ranked).toMatchObject({ protestStatus: 'INITIAL', counts: expect.arrayContaining([null]) })
  expect((await addUpTotals(t.sql, id)).unclear).toBe(names.length)
})

test('a figure that was not searched is compared with nothing: it is not cleared, better or worse', async () => {
  await answered(file)
  await t.sql`update vigia.answer set protest_status = 'INITIAL', debtor_status = null`
  const [row] = await t.sql<{ counts: (number | null)[]; cents: (bigint | null)[] }[]>`
    select vigia.searched_counts(a) as counts, vigia.searched_cents(a) as cents from vigia.answer a limit 1`
  expect([row!.counts[5], row!.cents[5], row!.counts[8]]).toEqual([null, null, 7])
  const before = { processes: null, counts: row!.counts.with(5, 9), cents: row!.cents }
  expect(riskChanges(before, { processes: null, ...row! })).toEqual([])
})
