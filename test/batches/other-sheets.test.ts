import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { exportWorkbook } from '../../src/batches/export.ts'
import { mergedDownTo } from '../../src/batches/workbook/write-report.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { main, relationshipsXml, sheetXml, stylesXml } from '../files/xlsx/hand-made.ts'
import { partsIn } from '../files/xlsx/parts-in.ts'
import { cpf } from '../support/documents.ts'
import { sheetsIn } from '../support/read-report.ts'
import { sharedGround } from './ground.ts'
import { type Cell, type Rows, workbookOf } from './people-workbook.ts'

const t = sharedGround()

const date: Cell = { xml: 's="1"><v>45000</v>' }
const formula: Cell = { xml: 's="0"><f>Base!C2*2</f><v>20</v>' }
const ownFormula: Cell = { xml: 's="0"><f>C5*2</f><v>40</v>' }
const base: Rows = { 1: ['CPF', 'Nome', 'Limite'], 2: [cpf(1), 'Ana', 10] }
const notes: Rows = { 2: ['Notas de novembro'], 5: ['Ana', date, formula, '=1+1', ownFormula] }
const own = ['Results', 'Summary', 'Rejects', 'About']

/** The path of the report of a batch as a workbook. */
const workbookIn = async (id: bigint): Promise<string> => {
  const options = { folder: `${t.home.outbox}/${id}`, now: new Date(0), settings: t.settings, language: 'en' as const }
  return (await exportWorkbook(t.sql, id, options)).workbook
}

const reportOf = async (bytes: Buffer, choice = {}): Promise<string> =>
  workbookIn((await t.imported(bytes, { fileName: 'base.xlsx', choice })).id)

const partsOfReport = async (...given: Parameters<typeof reportOf>) => partsIn(await readFile(await reportOf(...given)))

test('the other sheets of a workbook come back after ours, with values and formulas in their places', async () => {
  const bytes = workbookOf({ Base: base, Notas: notes, Summary: { 1: ['mine'] }, 'Velha (hidden)': { 1: ['x'] } })
  const path = await reportOf(bytes)

  const sheets = await sheetsIn(path)
  expect(Object.keys(sheets)).toEqual([...own, 'Notas', 'Summary (2)', 'Velha (hidden), hidden'])
  expect(sheets.Notas).toEqual([
    { number: 2, hidden: false, cells: ['Notas de novembro'], types: 't' },
    { number: 5, hidden: false, cells: ['Ana', '2023-03-15', '20', '=1+1', '40'], types: 'tdntn' },
  ])
  expect(sheets['Summary (2)']).toMatchObject([{ cells: ['mine'] }])
  const parts = await partsIn(await readFile(path))
  expect(parts['xl/worksheets/sheet5.xml']!.match(/<f>.*?<\/f>/g)).toEqual(['<f>C5*2</f>'])
})

test('a report that is submitted again does not return its own summary twice, and sheets that were read are not repeated', async () => {
  const again = workbookOf({ Results: base, Summary: { 1: ['old'] }, Rejects: {}, About: { 1: ['old'] }, Notas: notes })
  expect(Object.keys(await sheetsIn(await reportOf(again)))).toEqual([...own, 'Notas'])

  const two = workbookOf({ Base: base, Filial: { 1: ['CPF'], 2: [cpf(2)] }, Notas: notes })
  expect(Object.keys(await sheetsIn(await reportOf(two, { sheet: 'all' })))).toEqual([...own, 'Notas'])
})

test('after a person was erased from any part of another sheet, nothing of them is left in the file and its report', async () => {
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
  const parts = await partsOfReport(workbookOf({ Base: base, Notas: notes }, comments))
  expect(Object.values(parts).filter((xml) => xml.includes('<comment '))).toHaveLength(1)

  await eraseDocument(t.tools, cpf(9), 'admin')

  const [batch] = await t.sql<{ id: bigint; workbook: bigint | null }[]>`
    select id, workbook_id as workbook from vigia.batch`
  expect(batch!.workbook).toBeNull()
  const left = await readdir(t.home.outbox, { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
  expect(Object.keys(await sheetsIn(await workbookIn(batch!.id)))).toEqual(own)
})

const masked = '000\\.000\\.000\\-00'
const styles = stylesXml('General', masked, '0.0%', 'd" de "mmmm', '"R$ "#,##0.00').replace(
  '</cellXfs>',
  '<xf numFmtId="10"/></cellXfs>',
)

const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
const headers = ['CPF', 'Taxa', 'Desde', 'Limite', 'Juros', 'Soma']
const rows = [
  `<row r="1">${text('A1', 'Carteira de novembro')}</row>`,
  `<row r="3">${headers.map((name, at) => text(`${'ABCDEF'[at]}3`, name)).join('')}</row>`,
  `<row r="4"><c r="A4" s="1"><v>${Number(cpf(1))}</v></c><c r="B4" s="2"><v>0.125</v></c><c r="C4" s="3"><v>45000</v></c>` +
    `<c r="D4" s="4"><v>1234.5</v></c><c r="E4" s="5"><v>0.5</v></c><c r="F4" s="4"><f>D4*2</f><v>2469</v></c></row>`,
  `<row r="5">${text('A5', '123')}<c r="B5" s="2"><v>0.5</v></c></row>`,
].join('')

/** The parts of the report of a workbook with formats, and with this XML after its rows. */
const formatted = (after: string) => {
  const sheet = sheetXml(rows).replace('</sheetData>', `</sheetData>${after}`)
  return partsOfReport(workbookOf({ Plan1: {} }, { 'xl/styles.xml': styles, 'xl/worksheets/sheet1.xml': sheet }))
}

/** How a cell is written: its format, as a number or a code, and its value. */
const cellsOf = (parts: Record<string, string>, row: string) => {
  const xml = parts['xl/styles.xml']!
  const formats = [...xml.split('<cellXfs')[1]!.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) => id)
  const numbers = xml.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)
  const codes = new Map([...numbers].map(([, id, code]) => [id, code]))
  const cells = row.matchAll(/<c(?: s="(\d+)")?[^>]*>(?:<v>([^<]*)<\/v>|<is><t[^>]*>([^<]*)<\/t><\/is>)<\/c>/g)
  return [...cells].map(([, style = '0', value, string]) => {
    const id = formats[Number(style)]
    return [codes.get(id) ?? id, value ?? string]
  })
}

const rowsIn = (xml: string) => xml.split('\n').filter((line) => line.startsWith('<row>'))

test('numbers, dates and masked documents keep their formats, and a formula its value, also in rejected rows', async () => {
  const parts = await formatted('')
  const results = parts['xl/worksheets/sheet1.xml']!
  const [answered, rejected] = rowsIn(results).slice(-2)
  expect(cellsOf(parts, answered!).slice(0, 6)).toEqual([
    [masked, String(Number(cpf(1)))],
    ['0.0%', '0.125'],
    ['d&quot; de &quot;mmmm', '45000'],
    ['&quot;R$ &quot;#,##0.00', '1234.5'],
    ['10', '0.5'],
    ['&quot;R$ &quot;#,##0.00', '2469'],
  ])
  expect(cellsOf(parts, rejected!).slice(0, 2)).toEqual([
    ['49', '123'],
    ['0.0%', '0.5'],
  ])
  expect(results).not.toContain('<f>')
  expect(cellsOf(parts, rowsIn(parts['xl/worksheets/sheet3.xml']!).at(-1)!)).toContainEqual(['0.0%', '0.5'])
})

test('merged titles stay merged, and what is damaged after the last row costs no row', async () => {
  const merges = '<mergeCells count="2"><mergeCell ref="A1:D1"/><mergeCell ref="A4:B4"/></mergeCells>'
  expect((await formatted(merges))['xl/worksheets/sheet1.xml']).toMatch(
    /<autoFilter [^>]*><mergeCells count="1"><mergeCell ref="A1:D1"\/><\/mergeCells><pageSetup/,
  )
  const damaged = await formatted('<mergeCells><mergeCell ref="A1:D1"/><mergeCell ref=')
  expect(damaged['xl/worksheets/sheet1.xml']).toContain('<mergeCells count="1">')
  expect(damaged['xl/worksheets/sheet1.xml']).toContain('<v>1234.5</v>')
})

test('only ranges that a spreadsheet accepts stay merged', () => {
  const ranges = ['A1:C1', 'B1:B2', 'A2:A3', 'A2:A4', 'C2', 'a2:b2', 'D3:B3', 'A5:A5', 'XFE1:XFF1', 'E1:F3']
  expect(mergedDownTo(ranges, 3)).toEqual(['A1:C1', 'A2:A3', 'E1:F3'])
})
