import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { purgeExpired } from '../../src/monitoring/purge-expired.ts'
import { rowsIn } from '../files/xlsx/hand-made.ts'
import { cpf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { type Setup, setup } from '../support/setup.ts'
import { workbookOf } from './people-workbook.ts'

const linesOf = (t: Setup, batch: bigint) => t.sql<{ line: number; question: string | null; reason: string | null }[]>`
  select r.line, l.question, r.reject_reason as reason
    from vigia.batch_row r left join vigia.lookup l on l.id = r.lookup_id
   where r.batch_id = ${batch} order by r.line`

const filesOf = async (t: Setup, batch: bigint, what: string) =>
  (await readFile(join(t.home, `outbox/people.${batch}/people.${what}.csv`), 'utf8')).replace('\ufeff', '')

test('a workbook is imported and exported, and its rows keep the numbers of the sheet', async () => {
  await using t = await setup()
  const batch = await t.submit(
    workbookOf({
      Plan1: {
        1: ['Carteira de clientes'],
        4: ['Nome', 'CPF', 'Valor'],
        5: ['Ana; "a"', cpf(1), 1234.5],
        6: ['José\nda Silva', Number(cpf(2)), 7],
        9: ['Rui', '123', 8],
      },
    }),
    { fileName: 'people.xlsx' },
  )
  await t.finished(batch)

  expect(await linesOf(t, batch)).toEqual([
    { line: 5, question: cpf(1), reason: null },
    { line: 6, question: cpf(2), reason: null },
    { line: 9, question: null, reason: 'length' },
  ])
  const report = await filesOf(t, batch, 'report')
  expect(report).toMatch(/^Carteira de clientes\r\n\r\n\r\nNome;CPF;Valor;result_status;/)
  expect(report).toContain(`\r\n"Ana; ""a""";${cpf(1)};1234,5;ok;`)
  expect(await filesOf(t, batch, 'rejects')).toContain('\r\nRui;123;8;9;length;')
  const rows = await rowsIn(await readFile(join(t.home, `outbox/people.${batch}/people.report.xlsx`)))
  expect(rows.map(({ number, cells }) => [number, cells[0]])).toEqual([
    [1, 'Carteira de clientes'],
    [4, 'Nome'],
    [5, 'Ana; "a"'],
    [6, 'José\nda Silva'],
    [7, 'Rui'],
  ])
  expect(await t.sql`select layout ->> 'sheet' as sheet, workbook_id is not null as kept from vigia.batch`).toEqual([
    { sheet: 'Plan1', kept: true },
  ])
})

test('the same sheet, saved again, is the same file, and nothing is bought again', async () => {
  await using t = await setup()
  const rows = { 1: ['CPF'], 2: [cpf(1)], 3: [cpf(2)] }
  const first = await t.submit(workbookOf({ Plan1: rows }))
  await t.finished(first)
  const anew = workbookOf({ Plan1: rows }, { 'docProps/core.xml': '<saved>another day</saved>' })
  expect(await t.submit(anew)).toBe(first)
  expect(t.sandbox.charges()).toBe(2)
})

test('the same file read another way is another batch, and read as before is the same', async () => {
  await using t = await setup()
  const text = `CPF;Doc. Cliente\n${cpf(1)};${cpf(2)}\n`
  const first = await t.submit(text)
  const second = await t.submit(text, { choice: { columns: { documento: 'Doc. Cliente' } } })
  expect(second).not.toBe(first)
  expect(await t.submit(text)).toBe(second)
  await t.finished(second)
  expect(await linesOf(t, second)).toMatchObject([{ question: cpf(2) }])
})

test('each kind of cell follows its rule', async () => {
  await using t = await setup()
  const lost = '00012345678'
  const batch = await t.submit(
    workbookOf({
      Plan1: {
        1: ['CPF/CNPJ', 'Obs'],
        2: [11222333000181, 'a CNPJ as a number'],
        3: [{ xml: '><v>1.1222333000181E13</v>' }, 'as the XML often has it'],
        4: [{ xml: `s="2"><v>${Number(cpf(5))}</v>` }, 'a number shown with zeros'],
        5: [{ xml: '><v>12345678901234567890</v>' }, 'more than a double holds'],
        6: [{ xml: 's="1"><v>45000</v>' }, 'a date'],
        7: [{ xml: 't="b"><v>1</v>' }, 'a boolean'],
        8: [{ xml: 't="e"><v>#N/A</v>' }, 'an error'],
        9: [{ xml: `t="str"><f>A2&amp;""</f><v>${cpf(6)}</v>` }, 'a formula'],
        10: [{ xml: '><f>A2</f>' }, 'a formula that was never calculated'],
        11: [
          { xml: `t="inlineStr"><is><r><t>${cpf(7).slice(0, 5)}</t></r><r><t>${cpf(7).slice(5)}</t></r></is>` },
          'rich',
        ],
        12: [null, 'covered by a merged cell'],
        13: ['1,22223E+13', 'what a CSV had left of a CNPJ'],
        14: [Number(lost), 'a number that is no document'],
      },
    }),
  )
  await t.finished(batch)
  expect((await linesOf(t, batch)).map(({ line, question, reason }) => [line, question ?? reason])).toEqual([
    [2, '11222333000181'],
    [3, '11222333000181'],
    [4, cpf(5)],
    [5, 'cut_number'],
    [6, 'characters'],
    [7, 'characters'],
    [8, 'characters'],
    [9, cpf(6)],
    [10, 'empty'],
    [11, cpf(7)],
    [12, 'empty'],
    [13, 'scientific_notation'],
    [14, expect.stringMatching(/^(length|ambiguous)$/)],
  ])
  expect(await filesOf(t, batch, 'rejects')).toContain('1,23456789012345E+19;more than a double holds;5;cut_number;')
})

test('a single column of formulas without results loses no row', async () => {
  await using t = await setup()
  const batch = await t.submit(workbookOf({ Plan1: { 1: ['CPF'], 2: [{ xml: '><f>B1</f>' }], 3: [cpf(1)] } }))
  await t.finished(batch)
  expect(await statesOf(t.sql, batch)).toEqual({ ok: 1, rejected: 1 })
})

test('takes the first sheet with documents, with its hidden rows, and a hidden sheet only by name', async () => {
  await using t = await setup()
  const bytes = workbookOf({
    'Segredo (hidden)': { 1: ['CPF'], 2: [cpf(9)] },
    Capa: { 1: ['Relatório'], 2: ['Mês', 'Total'], 3: ['11', 5] },
    Vazia: {},
    Base: `<row r="1"><c t="inlineStr"><is><t>CPF</t></is></c></row><row r="2" hidden="1"><c><v>${cpf(1)}</v></c></row>`,
  })
  const batch = await t.submit(bytes)
  await t.finished(batch)
  expect(await linesOf(t, batch)).toMatchObject([{ line: 2, question: cpf(1) }])

  const hidden = await t.submit(bytes, { choice: { sheet: 'Segredo (hidden)' } })
  await t.finished(hidden)
  expect(await linesOf(t, hidden)).toMatchObject([{ line: 2, question: cpf(9) }])
  await expect(t.submit(bytes, { choice: { sheet: 'Outra' } })).rejects.toThrow('there is no sheet "Outra"')
})

test('notes on the right of a table reject no row, and results stand under their headers', async () => {
  await using t = await setup()
  const batch = await t.submit(workbookOf({ Plan1: { 1: ['CPF'], 2: [cpf(1)], 3: [cpf(2), 'ligar', 'amanhã'] } }), {
    fileName: 'people.xlsx',
  })
  await t.finished(batch)
  const [header, first, second] = (await filesOf(t, batch, 'report')).split('\r\n')
  expect(header).toMatch(/^CPF;;;result_status;/)
  expect(first).toMatch(new RegExp(`^${cpf(1)};;;ok;`))
  expect(second).toMatch(new RegExp(`^${cpf(2)};ligar;amanhã;ok;`))
  const rows = await rowsIn(await readFile(join(t.home, `outbox/people.${batch}/people.report.xlsx`)))
  expect(rows.map(({ cells }) => cells.slice(0, 4))).toEqual([
    ['CPF', '', '', 'Situação'],
    [cpf(1), '', '', 'respondido'],
    [cpf(2), 'ligar', 'amanhã', 'respondido'],
  ])
})

test('with a CPF and a CNPJ column side by side, the filled one counts', async () => {
  await using t = await setup()
  const batch = await t.submit(`cpf;cnpj\n${cpf(1)};\n;11222333000181\n${cpf(2)};11444777000161\n;\n`)
  await t.finished(batch)
  expect(await linesOf(t, batch)).toEqual([
    { line: 2, question: cpf(1), reason: null },
    { line: 3, question: '11222333000181', reason: null },
    { line: 4, question: null, reason: 'two_documents' },
    { line: 5, question: null, reason: 'empty' },
  ])
})

test('the document type of the file settles documents that could be either', async () => {
  await using t = await setup()
  const either = '191'
  const batch = await t.submit(`documento\n${either}\n`, { choice: { documentType: 'CNPJ' } })
  await t.finished(batch)
  expect(await linesOf(t, batch)).toMatchObject([{ question: '00000000000191' }])
})

test('a workbook without use leaves nothing behind', async () => {
  await using t = await setup()
  await expect(t.submit(workbookOf({ Plan1: { 1: ['a', 'b'], 2: ['x', 1] } }))).rejects.toThrow(
    /no column of documents/,
  )
  await expect(t.submit(Buffer.from('PK\x03\x04half a zip'))).rejects.toMatchObject({ code: 'damaged' })
  expect(await t.sql`select id from vigia.file`).toHaveLength(0)
})

test('the workbook is purged with its batch', async () => {
  await using t = await setup()
  const batch = await t.submit(workbookOf({ Plan1: { 1: ['CPF'], 2: [cpf(1)] } }))
  await t.finished(batch)
  expect(await t.sql`select id from vigia.file`).toHaveLength(2)
  const clock = () => new Date(Date.now() + 400 * 86_400_000)
  await purgeExpired({ ...t.tools, clock, settings: t.settings })
  expect(await t.sql`select id from vigia.file`).toHaveLength(0)
})
