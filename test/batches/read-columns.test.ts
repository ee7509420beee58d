import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { quoteFile } from '../../src/batches/quote.ts'
import type { ReadOptions } from '../../src/files/columns/read-options.ts'
import { call } from '../cli/call.ts'
import { cpf } from '../support/documents.ts'
import { sharedGround, submissionOf } from './ground.ts'
import { workbookOf } from './people-workbook.ts'

const t = sharedGround()

const [cnpj1, cnpj2] = ['11222333000181', '11444777000161']

const readsOf = async (content: string | Buffer, choice: ReadOptions = {}) => {
  const { organizationId, freshSince } = submissionOf('')
  const open = () => submissionOf(content).bytes
  const terms = { kind: 'analysis' as const, bound: 1, maxSpend: null, firstLookMs: 0 }
  const { rows, rejected, reads } = await quoteFile(t.sql, { open, organizationId, freshSince, ...terms, choice })
  return { rows, rejected, ...reads }
}

const workbook = workbookOf({
  Capa: { 1: ['Relatório'] },
  Base: { 1: ['Novembro'], 3: ['Nome', 'CPF', 'Limite'], 4: ['Ana', cpf(1), 10], 6: ['Rui', cpf(2), 20] },
  Filial: { 1: ['CPF/CNPJ', 'NOME', 'Cidade'], 2: [cpf(3), 'Eva', 'Recife'], 3: ['abc', 'Léo', 'Natal', 'nota'] },
  'Velha (hidden)': { 1: ['CPF'], 2: [cpf(4)] },
})

test.each<[string, ReadOptions, object]>([
  ['by itself', {}, { rows: 2, sheet: 'Base', unreadSheets: ['Filial', 'Velha (hidden)'] }],
  ['all sheets', { sheet: 'all' }, { rows: 4, rejected: 1, sheet: 'Base, Filial', unreadSheets: ['Velha (hidden)'] }],
  [
    'by chosen columns that only one sheet has',
    { columns: { documento: 'CPF', nome: 'Limite' } },
    { rows: 2, sheet: 'Base', unreadSheets: ['Filial', 'Velha (hidden)'] },
  ],
  [
    'by a chosen sheet',
    { columns: { documento: 'CPF/CNPJ' }, headerLine: 1, sheet: 'Filial' },
    { rows: 2, sheet: 'Filial', unreadSheets: ['Base', 'Velha (hidden)'] },
  ],
])('the quote of a workbook read %s names the sheets with documents that are not read', async (_, choice, reads) => {
  expect(await readsOf(workbook, choice)).toMatchObject(reads)
})

const partners = `CPF do sócio;Empresa (doc);Fone\n${cpf(1)};${cnpj1};11987654321\n${cpf(2)};${cnpj2};11912345678\n`

test.each<[string, string, ReadOptions, object]>([
  ['another column', partners, {}, { rows: 2, column: 'CPF do sócio', unaskedColumns: ['Empresa (doc)'] }],
  [
    'the one by itself, where another was chosen',
    partners,
    { columns: { documento: 'Empresa (doc)' } },
    { column: 'Empresa (doc)', unaskedColumns: ['CPF do sócio'] },
  ],
  [
    'one without a name',
    `${cpf(1)};${cnpj1}\n`,
    { headerLine: 0, columns: { documento: '1' } },
    { unaskedColumns: ['2'] },
  ],
  [
    'none that repeats the document',
    `CPF;Chave\n${cpf(1)};${cpf(1).replace(/^(...)(...)(...)/, '$1.$2.$3-')}\n`,
    {},
    { unaskedColumns: [] },
  ],
  ['none of a CPF and a CNPJ side by side', `CPF;CNPJ\n${cpf(1)};\n;${cnpj1}\n`, {}, { unaskedColumns: [] }],
])('of the columns with documents that are not asked about, a quote names %s', async (_, text, choice, reads) => {
  expect(await readsOf(text, choice)).toMatchObject(reads)
})

test('a second column for a role other than documento is refused with what to do, on the command line', async () => {
  const plan = (...columns: string[]) => call(['plan', 'x.csv', ...columns.flatMap((each) => ['--column', each])])
  const { exitCode, stderr } = await plan('documento=CPF do sócio', 'cpf=CPF')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('documento="CPF do sócio" and cpf="CPF" are given')
  expect(stderr).toContain('name each column with documento')
  expect((await plan('nome=A', 'nome=B')).exitCode).toBe(2)
  const refused = await plan(...Array.from({ length: 11 }, (_, i) => `documento=${i + 1}`))
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('10 documents at most')])
})

test('where a sheet asks about several columns of documents, those of every sheet are asked about', async () => {
  const mixed = workbookOf({
    Base: { 1: ['Sócio', 'CNPJ', 'CPF do sócio'], 2: ['Ana', cnpj1, cpf(1)], 3: ['Rui', cnpj2, cpf(2)] },
    Filial: { 1: ['Nome', 'CPF'], 2: ['Eva', cpf(3)] },
  })
  const several = { documento: ['CNPJ', 'CPF do sócio'] }
  const one = await t.imported(mixed, { fileName: 'mista.xlsx', choice: { columns: several } })
  expect(one).toMatchObject({ rows: 2, documentsPerRow: 2 })
  const all = await t.imported(mixed, { fileName: 'mista.xlsx', choice: { sheet: 'all' } })
  expect(all).toMatchObject({ rows: 3, documentsPerRow: 3, rejected: 0 })
  const asked = await t.sql<{ question: string }[]>`
    select question from vigia.batch_row r join vigia.lookup l on l.id = r.lookup_id where r.batch_id = ${all.id}`
  expect(asked.map(({ question }) => question).sort()).toEqual([cpf(1), cpf(2), cpf(3), cnpj1, cnpj2].sort())
})

/** The lines of a CSV file that was exported. */
const linesOf = async (path: string) => (await readFile(path, 'utf8')).slice(1).trimEnd().split(/\r?\n/)

test('all sheets are one table whose rows name their sheet and line, as text and as a workbook', async () => {
  const batch = await t.imported(workbook, { fileName: 'base.xlsx', choice: { sheet: 'all' } })
  expect(batch).toMatchObject({ rows: 4, rejected: 1 })
  const files = await t.export(batch.id)
  expect((await linesOf(files.report)).map((line) => line.split(';').slice(0, 7))).toEqual([
    ['sheet_name', 'sheet_line', 'Nome', 'documento', 'Limite', 'Cidade', ''],
    ['Base', '4', 'Ana', cpf(1), '10', '', ''],
    ['Base', '6', 'Rui', cpf(2), '20', '', ''],
    ['Filial', '2', 'Eva', cpf(3), '', 'Recife', ''],
  ])
  expect((await linesOf(files.rejects))[1]).toMatch(/^Filial;3;Léo;abc;;Natal;nota;5;/)
  const [, row] = (await t.sheets(batch.id)).Results!
  expect(row!.cells.slice(0, 5)).toEqual(['Base', '4', 'Ana', cpf(1), '10'])
  expect(row!.types.slice(0, 5)).toBe('tnttn')
  expect(await t.sql`select id from vigia.column_choice`).toHaveLength(0)
})

test('a sheet whose column is not certain is named, and sheets that differ in their documents are refused', async () => {
  const unclear = { Base: { 1: ['CPF'], 2: [cpf(1)] }, Filial: { 1: ['Nome', 'Doc. Cliente'], 2: ['Ana', cpf(2)] } }
  await expect(t.submit(workbookOf(unclear), { choice: { sheet: 'all' } })).rejects.toThrow(
    /sheet "Filial": .*--column documento="Doc. Cliente"/,
  )
  const differ = { Base: { 1: ['CPF', 'CNPJ'], 2: [cpf(1), ''] }, Filial: { 1: ['Documento'], 2: [cpf(2)] } }
  await expect(t.submit(workbookOf(differ), { choice: { sheet: 'all' } })).rejects.toThrow(
    /read them one by one with --sheet/,
  )
})

const people = [1, 2, 3, 4].map((n) => [`Pessoa ${n}, Sra`, cpf(n), `R$ ${n},50`])

test('every line of a file without a header comes back, under a header with the roles of its columns', async () => {
  const batch = await t.imported(`${people.map((row) => row.join(';')).join('\n')}\nTotal;4;x\n`)
  expect(batch).toMatchObject({ rows: 5, rejected: 1 })
  const files = await t.export(batch.id)
  const [header, ...rows] = await linesOf(files.report)
  expect(header).toMatch(/^;documento;;result_status;/)
  expect(rows.map((line) => line.split(';').slice(0, 3))).toEqual(people)
  expect(await linesOf(files.rejects)).toEqual([
    expect.stringMatching(/^;documento;;reject_line/),
    expect.stringMatching(/^Total;4;x;5;/),
  ])
})

test('a sheet without a header is found among the others, and all of its rows are read', async () => {
  const sheets = workbookOf({ Capa: { 1: ['Relatório'] }, Base: { 1: people[0]!, 2: people[1]! } })
  const batch = await t.imported(sheets, { fileName: 'base.xlsx' })
  expect(batch).toMatchObject({ rows: 2, rejected: 0, layout: { sheet: 'Base', header: null } })
})

test('without a header by choice, the first line is a row whatever it holds', async () => {
  const batch = await t.imported(`nome;CPF\n${people.map((row) => row.slice(0, 2).join(';')).join('\n')}\n`, {
    choice: { headerLine: 0, columns: { documento: '2', nome: '1' } },
  })
  expect(batch).toMatchObject({ rows: 5, rejected: 1 })
  expect(await t.sql`select id from vigia.column_choice`).toHaveLength(0)
})
