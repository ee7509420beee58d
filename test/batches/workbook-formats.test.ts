import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportWorkbook } from '../../src/batches/export.ts'
import { mergedDownTo } from '../../src/batches/workbook/write-report.ts'
import { sheetXml, stylesXml } from '../files/xlsx/hand-made.ts'
import { partsIn } from '../files/xlsx/parts-in.ts'
import { cpf } from '../support/documents.ts'
import { setupGround } from './ground.ts'
import { workbookOf } from './people-workbook.ts'

const masked = '000\\.000\\.000\\-00'
const styles = stylesXml('General', masked, '0.0%', 'd" de "mmmm', '"R$ "#,##0.00').replace(
  '</cellXfs>',
  '<xf numFmtId="10"/></cellXfs>',
)

const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
const rows = [
  `<row r="1">${text('A1', 'Carteira de novembro')}</row>`,
  `<row r="3">${['CPF', 'Taxa', 'Desde', 'Limite', 'Juros', 'Soma'].map((name, at) => text(`${'ABCDEF'[at]}3`, name)).join('')}</row>`,
  `<row r="4"><c r="A4" s="1"><v>${Number(cpf(1))}</v></c><c r="B4" s="2"><v>0.125</v></c><c r="C4" s="3"><v>45000</v></c>` +
    `<c r="D4" s="4"><v>1234.5</v></c><c r="E4" s="5"><v>0.5</v></c><c r="F4" s="4"><f>D4*2</f><v>2469</v></c></row>`,
  `<row r="5">${text('A5', '123')}<c r="B5" s="2"><v>0.5</v></c></row>`,
].join('')

const sheet = (after: string) => sheetXml(rows).replace('</sheetData>', `</sheetData>${after}`)

const reportOf = async (after: string) => {
  await using t = await setupGround()
  const parts = { 'xl/styles.xml': styles, 'xl/worksheets/sheet1.xml': sheet(after) }
  const { id } = await t.imported(workbookOf({ Plan1: {} }, parts), { fileName: 'carteira.xlsx' })
  const folder = join(t.home.outbox, String(id))
  const { workbook } = await exportWorkbook(t.sql, id, { folder, timezone: 'America/Sao_Paulo', now: new Date(0) })
  return partsIn(await readFile(workbook))
}

/** How a cell is written: its format, as a number or a code, and its value. */
const cellsOf = (parts: Record<string, string>, row: string) => {
  const formats = [...parts['xl/styles.xml']!.split('<cellXfs')[1]!.matchAll(/<xf numFmtId="(\d+)"/g)].map(
    ([, id]) => id,
  )
  const codes = new Map(
    [...parts['xl/styles.xml']!.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [
      id,
      code,
    ]),
  )
  return [...row.matchAll(/<c(?: s="(\d+)")?[^>]*>(?:<v>([^<]*)<\/v>|<is><t[^>]*>([^<]*)<\/t><\/is>)<\/c>/g)].map(
    ([, style = '0', value, string]) => {
      const id = formats[Number(style)]
      return [codes.get(id) ?? id, value ?? string]
    },
  )
}

test('numbers, dates and masked documents keep their formats, and a formula its value, also in rejected rows', async () => {
  const parts = await reportOf('')
  const lines = parts['xl/worksheets/sheet1.xml']!.split('\n').filter((line) => line.startsWith('<row>'))
  const [answered, rejected] = lines.slice(-2).map((line) => cellsOf(parts, line))
  expect(answered!.slice(0, 6)).toEqual([
    [masked, String(Number(cpf(1)))],
    ['0.0%', '0.125'],
    ['d&quot; de &quot;mmmm', '45000'],
    ['&quot;R$ &quot;#,##0.00', '1234.5'],
    ['10', '0.5'],
    ['&quot;R$ &quot;#,##0.00', '2469'],
  ])
  expect(rejected!.slice(0, 2)).toEqual([
    ['49', '123'],
    ['0.0%', '0.5'],
  ])
  expect(parts['xl/worksheets/sheet1.xml']).not.toContain('<f>')
  expect(
    cellsOf(parts, parts['xl/worksheets/sheet3.xml']!.split('\n').findLast((line) => line.startsWith('<row>'))!),
  ).toContainEqual(['0.0%', '0.5'])
})

test('merged titles stay merged, and what is damaged after the last row costs no row', async () => {
  const merges = '<mergeCells count="2"><mergeCell ref="A1:D1"/><mergeCell ref="A4:B4"/></mergeCells>'
  const parts = await reportOf(merges)
  expect(parts['xl/worksheets/sheet1.xml']).toMatch(
    /<autoFilter [^>]*><mergeCells count="1"><mergeCell ref="A1:D1"\/><\/mergeCells><pageSetup/,
  )
  const damaged = await reportOf('<mergeCells><mergeCell ref="A1:D1"/><mergeCell ref=')
  expect(damaged['xl/worksheets/sheet1.xml']).toContain('<mergeCells count="1">')
  expect(damaged['xl/worksheets/sheet1.xml']).toContain('<v>1234.5</v>')
})

test('only ranges that a spreadsheet accepts stay merged', () => {
  const ranges = ['A1:C1', 'B1:B2', 'A2:A3', 'A2:A4', 'C2', 'a2:b2', 'D3:B3', 'A5:A5', 'XFE1:XFF1', 'E1:F3']
  expect(mergedDownTo(ranges, 3)).toEqual(['A1:C1', 'A2:A3', 'E1:F3'])
})
