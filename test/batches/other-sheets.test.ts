import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportWorkbook } from '../../src/batches/export.ts'
import { readWorkbook, type WorkbookRow } from '../../src/files/xlsx/read-workbook.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { main, relationshipsXml, sheetXml } from '../files/xlsx/hand-made.ts'
import { partsIn } from '../files/xlsx/parts-in.ts'
import { cpf } from '../support/documents.ts'
import { type Ground, setupGround } from './ground.ts'
import { type Cell, type Rows, workbookOf } from './people-workbook.ts'

const date: Cell = { xml: 's="1"><v>45000</v>' }
const formula: Cell = { xml: 's="0"><f>Base!C2*2</f><v>20</v>' }
const ownFormula: Cell = { xml: 's="0"><f>C5*2</f><v>40</v>' }
const base: Rows = { 1: ['CPF', 'Nome', 'Limite'], 2: [cpf(1), 'Ana', 10] }
const notes: Rows = { 2: ['Notas de novembro'], 5: ['Ana', date, formula, '=1+1', ownFormula] }

const reportOf = async (t: Ground, bytes: Buffer, choice = {}): Promise<string> => {
  const { id } = await t.imported(bytes, { fileName: 'base.xlsx', language: 'en', choice })
  const folder = join(t.home.outbox, String(id))
  return (await exportWorkbook(t.sql, id, { folder, timezone: 'America/Sao_Paulo', now: new Date(0) })).workbook
}

const sheetsIn = async (path: string): Promise<Record<string, WorkbookRow[]>> => {
  await using workbook = await readWorkbook(path)
  const sheets: Record<string, WorkbookRow[]> = {}
  for (const { name, hidden } of workbook.sheets) {
    const rows: WorkbookRow[] = []
    for await (const some of workbook.rows(name)) rows.push(...some)
    sheets[hidden ? `${name}, hidden` : name] = rows
  }
  return sheets
}

test('the other sheets of a workbook come back after ours, with values and formulas in their places', async () => {
  await using t = await setupGround()
  const bytes = workbookOf({ Base: base, Notas: notes, Summary: { 1: ['mine'] }, 'Velha (hidden)': { 1: ['x'] } })
  const path = await reportOf(t, bytes)

  const sheets = await sheetsIn(path)
  const names = ['Results', 'Summary', 'Rejects', 'About', 'Notas', 'Summary (2)', 'Velha (hidden), hidden']
  expect(Object.keys(sheets)).toEqual(names)
  expect(sheets.Notas).toEqual([
    { number: 2, hidden: false, cells: ['Notas de novembro'], types: 't' },
    { number: 5, hidden: false, cells: ['Ana', '2023-03-15', '20', '=1+1', '40'], types: 'tdntn' },
  ])
  expect(sheets['Summary (2)']).toMatchObject([{ cells: ['mine'] }])
  const parts = await partsIn(await readFile(path))
  expect(parts['xl/worksheets/sheet5.xml']!.match(/<f>.*?<\/f>/g)).toEqual(['<f>C5*2</f>'])
})

test('merged cells of another sheet stay merged, and one that is damaged says so and stops no report', async () => {
  await using t = await setupGround()
  const rows = '<row r="1"><c r="A1"><v>1</v></c></row>'
  const sound = sheetXml(rows).replace('</worksheet>', '<mergeCells><mergeCell ref="A1:C4"/></mergeCells></worksheet>')
  const bytes = workbookOf(
    { Base: base, Inteira: {}, Quebrada: {} },
    {
      'xl/worksheets/sheet2.xml': sound,
      'xl/worksheets/sheet3.xml': sheetXml(`${rows}<row r="1"><c r="A1"><v>2</v></c></row>`),
    },
  )
  const path = await reportOf(t, bytes, { sheet: 'Base' })

  const parts = await partsIn(await readFile(path))
  expect(parts['xl/worksheets/sheet5.xml']).toContain('<mergeCell ref="A1:C4"/>')
  const { Quebrada } = await sheetsIn(path)
  expect(Quebrada?.at(-1)?.cells[0]).toContain('its rows are out of order')
})

test('a report that is submitted again does not return its own summary twice, and sheets that were read are not repeated', async () => {
  await using t = await setupGround()
  const again = workbookOf({ Results: base, Summary: { 1: ['old'] }, Rejects: {}, About: { 1: ['old'] }, Notas: notes })
  const own = ['Results', 'Summary', 'Rejects', 'About']
  expect(Object.keys(await sheetsIn(await reportOf(t, again)))).toEqual([...own, 'Notas'])

  const two = workbookOf({ Base: base, Filial: { 1: ['CPF'], 2: [cpf(2)] }, Notas: notes })
  expect(Object.keys(await sheetsIn(await reportOf(t, two, { sheet: 'all' })))).toEqual([...own, 'Notas'])
})

test('after a person was erased from any part of another sheet, nothing of them is left in the file and its report', async () => {
  await using t = await setupGround()
  const comments = {
    'xl/worksheets/_rels/sheet2.xml.rels': relationshipsXml({
      '../comments1.xml': 'comments',
      '../a.vml': 'vmlDrawing',
    }),
    'xl/comments1.xml':
      `<comments xmlns="${main}"><authors><author>x</author></authors><commentList><comment ref="A1" authorId="0">` +
      `<text><r><t>${cpf(9).slice(0, 4)}</t></r><r><t>${cpf(9).slice(4)}</t></r></text></comment></commentList></comments>`,
    'xl/a.vml': '<xml xmlns:v="v" xmlns:x="x"><v:shape><x:ClientData ObjectType="Note"/></v:shape></xml>',
  }
  const path = await reportOf(t, workbookOf({ Base: base, Notas: notes }, comments))
  const commentsIn = async () =>
    Object.values(await partsIn(await readFile(path))).filter((xml) => xml.includes('<comment '))
  expect(await commentsIn()).toHaveLength(1)

  await eraseDocument(t.tools, cpf(9), 'admin')

  const [batch] = await t.sql<{ id: bigint; workbook: bigint | null }[]>`
    select id, workbook_id as workbook from vigia.batch`
  expect(batch!.workbook).toBeNull()
  const left = await readdir(t.home.outbox, { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
  const folder = join(t.home.outbox, 'again')
  const options = { folder, timezone: 'America/Sao_Paulo', now: new Date(0) }
  const again = (await exportWorkbook(t.sql, batch!.id, options)).workbook
  expect(Object.keys(await sheetsIn(again))).toEqual(['Results', 'Summary', 'Rejects', 'About'])
})
