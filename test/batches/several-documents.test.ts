import { readFile } from 'node:fs/promises'
import { test as check, fc } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { readStatus } from '../../src/batches/batch-or-refuse.ts'
import { readRowHistory } from '../../src/batches/own-rows.ts'
import { quoteFile } from '../../src/batches/quote.ts'
import type { ColumnNames } from '../../src/files/columns/read-options.ts'
import { recount } from '../../src/store/batches/counts.ts'
import { readRows } from '../../src/views/row.ts'
import { cpf } from '../support/documents.ts'
import { readCsv } from '../support/read-report.ts'
import { runs } from '../support/runs.ts'
import { answerAll } from './answers.ts'
import { sharedGround, submissionOf } from './ground.ts'

const t = sharedGround()

const [cnpj1, cnpj2] = ['11222333000181', '11444777000161']
const both: ColumnNames = { documento: ['CPF_SOCIO', 'CNPJ_EMPRESA'] }

let organization = 1
const imported = (content: string, columns: ColumnNames = both) =>
  t.imported(content, { organizationId: organization++, choice: { columns } })

const reportOf = async (id: bigint) => {
  const { report, rejects, manifest } = await t.export(id, { language: 'en' })
  return { report: await readCsv(report), rejects: await readCsv(rejects), manifest }
}

const partners = [
  'Sócio;CPF_SOCIO;CNPJ_EMPRESA',
  `Ana;${cpf(1)};${cnpj1}`,
  `Bia;${cpf(2)};`,
  `Caio;junk;${cnpj1}`,
  'Davi;;junk',
  `Eva;${cpf(1)};${cpf(1)}`,
].join('\n')

test('each row asks about each of its documents, and stands in the report once', async () => {
  const batch = await imported(partners)
  expect(batch).toMatchObject({ rows: 5, rejected: 1, documentsPerRow: 2, toBePaid: 3, state: 'running' })
  expect(await readStatus(t.sql, batch.id, new Date())).toMatchObject({
    rows: 5,
    total: 10,
    open: 6,
    states: { rejected: 4 },
    documentColumns: ['CPF_SOCIO', 'CNPJ_EMPRESA'],
  })
  await answerAll(t.sql, batch.id)
  await t.sql.begin((tx) => recount(tx, batch.id, new Date()))
  expect(await readStatus(t.sql, batch.id, new Date())).toMatchObject({
    state: 'done',
    done: 10,
    open: 0,
    unanswered: 0,
    states: { ok: 6, rejected: 4 },
  })

  const { report, rejects, manifest } = await reportOf(batch.id)
  expect(report.map((row) => [row.Sócio, row['CPF_SOCIO.result_status'], row['CNPJ_EMPRESA.result_status']])).toEqual([
    ['Ana', 'ok', 'ok'],
    ['Bia', 'ok', 'rejected'],
    ['Caio', 'rejected', 'ok'],
    ['Eva', 'ok', 'ok'],
  ])
  expect(report[1]!['CNPJ_EMPRESA.result_detail']).toMatch(/empty/)
  expect(report[0]).toMatchObject({ 'CPF_SOCIO.result_document': cpf(1), 'CNPJ_EMPRESA.result_document': cnpj1 })
  const charged = report.flatMap((row) => [row['CPF_SOCIO.result_charged'], row['CNPJ_EMPRESA.result_charged']])
  expect(charged).toEqual(['yes', 'yes', 'yes', 'no', 'no', 'no', 'no', 'no'])
  expect(rejects).toEqual([
    expect.objectContaining({ Sócio: 'Davi', reject_line: '5', reject_reason: expect.not.stringMatching('empty') }),
  ])
  expect(manifest).toMatchObject({ rows: 5, total: 10, states: { ok: 6, rejected: 4 }, unanswered: 0 })
})

test('the workbook has a block of columns for each document', async () => {
  const batch = await imported(partners)
  await answerAll(t.sql, batch.id)
  const sheets = await t.sheets(batch.id)
  const cells = (name: string) => sheets[name]!.map(({ cells }) => cells)
  const [header, ...rows] = cells('Results')
  const status = (name: string) => header!.findIndex((each) => each.startsWith(`${name}: `))
  expect(rows.map((row) => [row[0], row[status('CPF_SOCIO')], row[status('CNPJ_EMPRESA')]])).toEqual([
    ['Ana', 'answered', 'answered'],
    ['Bia', 'answered', 'rejected'],
    ['Caio', 'rejected', 'answered'],
    ['Davi', 'rejected', 'rejected'],
    ['Eva', 'answered', 'answered'],
  ])
  expect(cells('Rejects').length).toBe(2)
  const summary = cells('Summary')
  const outcomes = summary.find(([title]) => title?.endsWith('by outcome'))
  expect(outcomes).toEqual(['Documents by outcome', 'Documents', 'Share'])
  expect(summary.find(([title]) => title === 'Total')?.[1]).toBe('10')
})

test('a quote counts the documents of all columns, and those of asked rows that cannot be read', async () => {
  const { freshSince } = submissionOf('')
  const open = () => submissionOf(partners).bytes
  const terms = { kind: 'analysis' as const, bound: 1, maxSpend: null, firstLookMs: 0, organizationId: 999 }
  expect(await quoteFile(t.sql, { open, freshSince, ...terms, choice: { columns: both } })).toMatchObject({
    rows: 5,
    rejected: 1,
    documents: 3,
    toBePaid: 3,
    notAsked: { empty: 1 },
    reads: { columns: both, documents: ['CPF_SOCIO', 'CNPJ_EMPRESA'], unaskedColumns: [] },
  })
})

test('a page of rows ends with a complete row, and a row is shown by the column of its document', async () => {
  const batch = await imported(partners)
  const rows = await readRows(t.sql, batch.id, {}, { after: 0, upTo: 100, limit: 100 })
  expect(rows.map(({ line, part }) => [line, part]).slice(0, 4)).toEqual([
    [2, 0],
    [2, 1],
    [3, 0],
    [3, 1],
  ])
  const shown = (column?: string) => readRowHistory(t.sql, batch.id, { line: 4, column })
  expect(await shown()).toMatchObject({
    column: 'CPF_SOCIO',
    columns: ['CPF_SOCIO', 'CNPJ_EMPRESA'],
    state: 'rejected',
  })
  expect(await shown('cnpj_empresa')).toMatchObject({ column: 'CNPJ_EMPRESA', state: 'queued' })
  await expect(shown('CNPJ')).rejects.toThrow('the rows are asked about CPF_SOCIO, CNPJ_EMPRESA')
})

test('columns without a name are called by their number in the report', async () => {
  const batch = await t.imported(`${cpf(1)};${cnpj1}\n${cpf(2)};${cnpj2}\n`, {
    organizationId: organization++,
    choice: { headerLine: 0, columns: { documento: ['1', '2'] } },
  })
  const { report } = await reportOf(batch.id)
  expect(Object.keys(report[0]!)).toEqual(
    expect.arrayContaining(['documento_1', 'documento_2', 'documento_1.result_status', 'documento_2.result_status']),
  )
})

test('a report that is submitted again loses the columns of every document that Vigia had added', async () => {
  const batch = await imported(partners)
  const { report } = await t.export(batch.id)
  const again = await imported(await readFile(report, 'utf8'))
  const { report: second } = await reportOf(again.id)
  expect(Object.keys(second[0]!).filter((name) => name.endsWith('.result_status'))).toHaveLength(2)
})

const cell = fc.oneof(
  fc.integer({ min: 1, max: 8 }).map((n) => cpf(n)),
  fc.constantFrom(cnpj1, cnpj2, '', 'junk', '12345678900'),
)

check.prop([fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 60 })], runs(5))(
  'rows in are rows out, and every document of every row has one outcome',
  async (rows) => {
    const text = `ref;A;B;C\n${rows.map((row, i) => [i, ...row].join(';')).join('\n')}\n`
    const batch = await imported(text, { documento: ['A', 'B', 'C'] })
    const { report, rejects, manifest } = await reportOf(batch.id)
    const isDocument = (text: string) => /^\d{11}$|^\d{14}$/.test(text) && text !== '12345678900'
    const asked = rows.map((row, i) => [String(i), row] as const).filter(([, row]) => row.some(isDocument))
    expect(report.map(({ ref }) => ref)).toEqual(asked.map(([i]) => i))
    expect(report.length + rejects.length).toBe(rows.length)
    for (const [at, [, row]] of asked.entries()) {
      const outcomes = ['A', 'B', 'C'].map((name) => report[at]![`${name}.result_status`])
      expect(outcomes).toEqual(row.map((text) => (isDocument(text) ? 'pending' : 'rejected')))
    }
    expect(Object.values(manifest.states).reduce((sum, count) => sum + count, 0)).toBe(rows.length * 3)
    const distinct = new Set(rows.flat().filter(isDocument))
    expect(batch).toMatchObject({ rows: rows.length, rejected: rejects.length, toBePaid: distinct.size })
  },
)
