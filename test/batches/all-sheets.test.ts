import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import { quoteFile } from '../../src/batches/quote.ts'
import type { ReadOptions } from '../../src/files/columns/read-options.ts'
import { rowsIn } from '../files/xlsx/hand-made.ts'
import { cpf } from '../support/documents.ts'
import { type Ground, setupGround, submissionOf } from './ground.ts'
import { workbookOf } from './people-workbook.ts'

const workbook = workbookOf({
  Capa: { 1: ['Relatório'] },
  Base: { 1: ['Novembro'], 3: ['Nome', 'CPF', 'Limite'], 4: ['Ana', cpf(1), 10], 6: ['Rui', cpf(2), 20] },
  Filial: { 1: ['CPF/CNPJ', 'NOME', 'Cidade'], 2: [cpf(3), 'Eva', 'Recife'], 3: ['abc', 'Léo', 'Natal', 'nota'] },
  'Velha (hidden)': { 1: ['CPF'], 2: [cpf(4)] },
})

const quote = (t: Ground, choice: ReadOptions = {}) => {
  const { organizationId, freshSince } = submissionOf('')
  const open = () => submissionOf(workbook).bytes
  const terms = { kind: 'analysis' as const, bound: 1, maxSpend: null, firstLookMs: 0 }
  return quoteFile(t.sql, { open, organizationId, freshSince, ...terms, choice })
}

test('a quote names the sheets with documents that are not read', async () => {
  await using t = await setupGround()
  const first = await quote(t)
  expect(first).toMatchObject({ rows: 2, reads: { sheet: 'Base', unreadSheets: ['Filial', 'Velha (hidden)'] } })
  const all = await quote(t, { sheet: 'all' })
  expect(all).toMatchObject({
    rows: 4,
    rejected: 1,
    reads: { sheet: 'Base, Filial', unreadSheets: ['Velha (hidden)'] },
  })
})

test('a sheet with other columns than those that were chosen is named as not read', async () => {
  await using t = await setupGround()
  const chosen = await quote(t, { columns: { documento: 'CPF', nome: 'Limite' } })
  expect(chosen).toMatchObject({ rows: 2, reads: { sheet: 'Base', unreadSheets: ['Filial', 'Velha (hidden)'] } })
  const named = await quote(t, { columns: { documento: 'CPF/CNPJ' }, headerLine: 1, sheet: 'Filial' })
  expect(named).toMatchObject({ rows: 2, reads: { sheet: 'Filial', unreadSheets: ['Base', 'Velha (hidden)'] } })
})

test('where a sheet asks about several columns of documents, those of every sheet are asked about', async () => {
  await using t = await setupGround()
  const [first, second] = ['11222333000181', '11444777000161']
  const mixed = workbookOf({
    Base: { 1: ['Sócio', 'CNPJ', 'CPF do sócio'], 2: ['Ana', first, cpf(1)], 3: ['Rui', second, cpf(2)] },
    Filial: { 1: ['Nome', 'CPF'], 2: ['Eva', cpf(3)] },
  })
  const several = { documento: ['CNPJ', 'CPF do sócio'] }
  const one = await t.imported(mixed, { fileName: 'mista.xlsx', choice: { columns: several } })
  expect(one).toMatchObject({ rows: 2, documentsPerRow: 2 })
  const all = await t.imported(mixed, { fileName: 'mista.xlsx', choice: { sheet: 'all' } })
  expect(all).toMatchObject({ rows: 3, documentsPerRow: 3, rejected: 0 })
  const asked = await t.sql<{ question: string }[]>`
    select question from vigia.batch_row r join vigia.lookup l on l.id = r.lookup_id where r.batch_id = ${all.id}`
  expect(asked.map(({ question }) => question).sort()).toEqual([cpf(1), cpf(2), cpf(3), first, second].sort())
})

test('all sheets are one table whose rows name their sheet and line, as text and as a workbook', async () => {
  await using t = await setupGround()
  const batch = await t.imported(workbook, { fileName: 'base.xlsx', choice: { sheet: 'all' } })
  expect(batch).toMatchObject({ rows: 4, rejected: 1 })
  const options = { folder: t.home.outbox, now: new Date(), timezone: 'America/Sao_Paulo', language: 'en' as const }
  const files = await exportBatch(t.sql, batch.id, options)
  const lines = async (path: string) => (await readFile(path, 'utf8')).slice(1).trimEnd().split('\r\n')
  const cells = (line: string) => line.split(';').slice(0, 7)
  expect((await lines(files.report)).map(cells)).toEqual([
    ['sheet_name', 'sheet_line', 'Nome', 'documento', 'Limite', 'Cidade', ''],
    ['Base', '4', 'Ana', cpf(1), '10', '', ''],
    ['Base', '6', 'Rui', cpf(2), '20', '', ''],
    ['Filial', '2', 'Eva', cpf(3), '', 'Recife', ''],
  ])
  expect((await lines(files.rejects))[1]).toMatch(/^Filial;3;Léo;abc;;Natal;nota;5;/)
  const rows = await rowsIn(await readFile(files.workbook!), 'Results')
  expect(rows[1]).toMatchObject({ cells: expect.arrayContaining(['Base', '4', 'Ana', cpf(1), '10']) })
  expect(rows[1]?.types.slice(0, 5)).toBe('tnttn')
  expect(await t.sql`select id from vigia.column_choice`).toHaveLength(0)
})

test('a sheet whose column is not certain is named, and sheets that differ in their documents are refused', async () => {
  await using t = await setupGround()
  const unclear = workbookOf({
    Base: { 1: ['CPF'], 2: [cpf(1)] },
    Filial: { 1: ['Nome', 'Doc. Cliente'], 2: ['Ana', cpf(2)] },
  })
  await expect(t.submit(unclear, { choice: { sheet: 'all' } })).rejects.toThrow(
    /sheet "Filial": .*--column documento="Doc. Cliente"/,
  )
  const differ = workbookOf({
    Base: { 1: ['CPF', 'CNPJ'], 2: [cpf(1), ''] },
    Filial: { 1: ['Documento'], 2: [cpf(2)] },
  })
  await expect(t.submit(differ, { choice: { sheet: 'all' } })).rejects.toThrow(/read them one by one with --sheet/)
})
