import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { purgeExpired } from '../../src/monitoring/purge-expired.ts'
import { cpf } from '../support/documents.ts'
import { sheetsIn } from '../support/read-report.ts'
import { sharedGround } from './ground.ts'
import { type Rows, workbookOf } from './people-workbook.ts'

const t = sharedGround()

const linesOf = async (batch: bigint) => {
  const rows = await t.sql<{ line: number; asks: string }[]>`
    select r.line, coalesce(l.question, r.reject_reason) as asks
      from vigia.batch_row r left join vigia.lookup l on l.id = r.lookup_id
     where r.batch_id = ${batch} order by r.line`
  return rows.map(({ line, asks }) => [line, asks])
}

const textOf = async (path: string) => (await readFile(path, 'utf8')).replace('\ufeff', '')

test('a workbook is imported and exported, its rows keep the numbers of the sheet, and its cells their types', async () => {
  const sheet: Rows = {
    1: ['Carteira de clientes'],
    4: ['Nome', 'CPF', 'Valor', 'Desde', 'Ativo'],
    5: ['Ana; "a"', cpf(1), 1234.5, { xml: 's="1"><v>45000</v>' }, { xml: 't="b"><v>1</v>' }],
    6: ['José\nda Silva', Number(cpf(2)), 7, null],
    9: ['Rui', '123', 8, null],
  }
  const { id } = await t.answered(workbookOf({ Plan1: sheet }), { fileName: 'people.xlsx' })

  expect(await linesOf(id)).toEqual([
    [5, cpf(1)],
    [6, cpf(2)],
    [9, 'length'],
  ])
  const files = await t.export(id)
  const report = await textOf(files.report)
  expect(report).toMatch(/^Carteira de clientes\r\n\r\n\r\nNome;CPF;Valor;Desde;Ativo;result_status;/)
  expect(report).toContain(`\r\n"Ana; ""a""";${cpf(1)};1234,5;2023-03-15;TRUE;ok;`)
  expect(await textOf(files.rejects)).toContain('\r\nRui;123;8;;;9;length;')
  const { Resultados, Rejeitados } = await sheetsIn(files.workbook!)
  expect(Resultados!.map(({ number, cells }) => [number, ...cells.slice(0, 6)])).toEqual([
    [1, 'Carteira de clientes'],
    [4, 'Nome', 'CPF', 'Valor', 'Desde', 'Ativo', 'Situação'],
    [5, 'Ana; "a"', cpf(1), '1234.5', '2023-03-15', 'TRUE', 'respondido'],
    [6, 'José\nda Silva', cpf(2), '7', '', '', 'respondido'],
    [7, 'Rui', '123', '8', '', '', 'rejeitado'],
  ])
  expect(Resultados!.slice(2).map(({ types }) => types.slice(0, 6))).toEqual(['ttndbt', 'tnn--t', 'ttn--t'])
  expect(Rejeitados![1]!.cells.slice(3)).toEqual(['Rui', '123', '8'])
  expect(Rejeitados![1]!.types).toBe('nttttn')
  const kept = await t.sql`select layout ->> 'sheet' as sheet, workbook_id is not null as kept from vigia.batch`
  expect(kept).toEqual([{ sheet: 'Plan1', kept: true }])

  const clock = () => new Date(Date.now() + 400 * 86_400_000)
  expect(await t.sql`select from vigia.file`).toHaveLength(2)
  await purgeExpired({ ...t.tools, clock })
  expect(await t.sql`select from vigia.file`).toHaveLength(0)
})

test('the same sheet, saved again, is the same file', async () => {
  const rows = { 1: ['CPF'], 2: [cpf(1)], 3: [cpf(2)] }
  const first = await t.submit(workbookOf({ Plan1: rows }))
  const anew = workbookOf({ Plan1: rows }, { 'docProps/core.xml': '<saved>another day</saved>' })
  expect(await t.submit(anew)).toBe(first)
})

test('the same file read another way is another batch, and read as before is the same', async () => {
  const text = `CPF;Doc. Cliente\n${cpf(1)};${cpf(2)}\n`
  const first = await t.submit(text)
  const second = await t.imported(text, { choice: { columns: { documento: 'Doc. Cliente' } } })
  expect(second.id).not.toBe(first)
  expect(await t.submit(text)).toBe(second.id)
  expect(await linesOf(second.id)).toEqual([[2, cpf(2)]])
})

test('each kind of cell follows its rule', async () => {
  const rich = `<r><t>${cpf(7).slice(0, 5)}</t></r><r><t>${cpf(7).slice(5)}</t></r>`
  const cells: [Rows[number][number], string, unknown][] = [
    [11222333000181, 'a CNPJ as a number', '11222333000181'],
    [{ xml: '><v>1.1222333000181E13</v>' }, 'as the XML often has it', '11222333000181'],
    [{ xml: `s="2"><v>${Number(cpf(5))}</v>` }, 'a number shown with zeros', cpf(5)],
    [{ xml: '><v>12345678901234567890</v>' }, 'more than a double holds', 'cut_number'],
    [{ xml: 's="1"><v>45000</v>' }, 'a date', 'characters'],
    [{ xml: 't="b"><v>1</v>' }, 'a boolean', 'characters'],
    [{ xml: 't="e"><v>#N/A</v>' }, 'an error', 'characters'],
    [{ xml: `t="str"><f>A2&amp;""</f><v>${cpf(6)}</v>` }, 'a formula', cpf(6)],
    [{ xml: '><f>A2</f>' }, 'a formula that was never calculated', 'empty'],
    [{ xml: `t="inlineStr"><is>${rich}</is>` }, 'rich', cpf(7)],
    [null, 'covered by a merged cell', 'empty'],
    ['1,22223E+13', 'what a CSV had left of a CNPJ', 'scientific_notation'],
    [12345678, 'a number that is no document', expect.stringMatching(/^(length|ambiguous)$/)],
  ]
  const rows = cells.map(([cell, note], i): [number, Rows[number]] => [i + 2, [cell, note]])
  const { id } = await t.imported(workbookOf({ Plan1: { 1: ['CPF/CNPJ', 'Obs'], ...Object.fromEntries(rows) } }))
  expect(await linesOf(id)).toEqual(cells.map(([, , asks], i) => [i + 2, asks]))
  const rejects = await textOf((await t.export(id)).rejects)
  expect(rejects).toContain('1,23456789012345E+19;more than a double holds;5;cut_number;')
})

test('a single column of formulas without results loses no row', async () => {
  const { id } = await t.imported(workbookOf({ Plan1: { 1: ['CPF'], 2: [{ xml: '><f>B1</f>' }], 3: [cpf(1)] } }))
  expect((await linesOf(id)).map(([, asks]) => asks)).toEqual(['empty', cpf(1)])
})

test('takes the first sheet with documents, with its hidden rows, and a hidden sheet only by name', async () => {
  const bytes = workbookOf({
    'Segredo (hidden)': { 1: ['CPF'], 2: [cpf(9)] },
    Capa: { 1: ['Relatório'], 2: ['Mês', 'Total'], 3: ['11', 5] },
    Vazia: {},
    Base: `<row r="1"><c t="inlineStr"><is><t>CPF</t></is></c></row><row r="2" hidden="1"><c><v>${cpf(1)}</v></c></row>`,
  })
  expect(await linesOf((await t.imported(bytes)).id)).toEqual([[2, cpf(1)]])
  const hidden = await t.imported(bytes, { choice: { sheet: 'Segredo (hidden)' } })
  expect(await linesOf(hidden.id)).toEqual([[2, cpf(9)]])
  await expect(t.submit(bytes, { choice: { sheet: 'Outra' } })).rejects.toThrow('there is no sheet "Outra"')
})

test('notes on the right of a table reject no row, and results stand under their headers', async () => {
  const rows = { 1: ['CPF'], 2: [cpf(1)], 3: [cpf(2), 'ligar', 'amanhã'] }
  const { id } = await t.answered(workbookOf({ Plan1: rows }), { fileName: 'people.xlsx' })
  const [header, first, second] = (await textOf((await t.export(id)).report)).split('\r\n')
  expect(header).toMatch(/^CPF;;;result_status;/)
  expect(first).toMatch(new RegExp(`^${cpf(1)};;;ok;`))
  expect(second).toMatch(new RegExp(`^${cpf(2)};ligar;amanhã;ok;`))
  expect((await t.sheets(id)).Results!.map(({ cells }) => cells.slice(0, 4))).toEqual([
    ['CPF', '', '', 'Status'],
    [cpf(1), '', '', 'answered'],
    [cpf(2), 'ligar', 'amanhã', 'answered'],
  ])
})

test('with a CPF and a CNPJ column side by side, the filled one counts', async () => {
  const { id } = await t.imported(`cpf;cnpj\n${cpf(1)};\n;11222333000181\n${cpf(2)};11444777000161\n;\n`)
  const asked = (await linesOf(id)).map(([, asks]) => asks)
  expect(asked).toEqual([cpf(1), '11222333000181', 'two_documents', 'empty'])
})

test('the document type of the file settles documents that could be either', async () => {
  const { id } = await t.imported('documento\n191\n', { choice: { documentType: 'CNPJ' } })
  expect(await linesOf(id)).toEqual([[2, '00000000000191']])
})

test('a workbook without use leaves nothing behind', async () => {
  const useless = workbookOf({ Plan1: { 1: ['a', 'b'], 2: ['x', 1] } })
  await expect(t.submit(useless)).rejects.toThrow(/no column of documents/)
  await expect(t.submit(Buffer.from('PK\x03\x04half a zip'))).rejects.toMatchObject({ code: 'damaged' })
  expect(await t.sql`select id from vigia.file`).toHaveLength(0)
})
