import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WrittenCell } from '../../src/files/xlsx/write/cell-xml.ts'
import { writeWorkbook } from '../../src/files/xlsx/write-workbook.ts'
import { formulaPayloads } from './formula-payloads.ts'
import { officeDocument } from './open-in-office.ts'

const python = '/usr/bin/python3'
const openpyxl = spawnSync(python, ['-c', 'import openpyxl']).status === 0
if (!openpyxl) process.stdout.write('skipped: openpyxl is not installed (Debian: python3-openpyxl)\n')

const folder = mkdtempSync(join(tmpdir(), 'vigia-workbook-'))
const path = join(folder, 'report.xlsx')
const texts = formulaPayloads.filter((payload) => !/[\r\v]/.test(payload))
const labels = ['Trabalhista', 'Execução fiscal', 'Cível & outros']
const figures = [12, 40, 7]

const kinds: { cell: WrittenCell; inLibreOffice: string; inOpenpyxl: [string, string | null] }[] = [
  {
    cell: { text: '00000000191', type: 't' },
    inLibreOffice: 'office:value-type="string"',
    inOpenpyxl: ['s', '00000000191'],
  },
  {
    cell: { text: '1234.5', type: 'n', look: 'amount' },
    inLibreOffice: 'office:value="1234.5"',
    inOpenpyxl: ['n', '1234.5'],
  },
  {
    cell: { text: '11222333000181', type: 'n' },
    inLibreOffice: 'office:value="11222333000181"',
    inOpenpyxl: ['n', '11222333000181'],
  },
  {
    cell: { text: '2026-11-15', type: 'd' },
    inLibreOffice: 'office:date-value="2026-11-15"',
    inOpenpyxl: ['d', '2026-11-15 00:00:00'],
  },
  {
    cell: { text: '2026-11-15 08:30:00', type: 'D' },
    inLibreOffice: 'office:date-value="2026-11-15T08:30:00"',
    inOpenpyxl: ['d', '2026-11-15 08:30:00'],
  },
  {
    cell: { text: '1900-01-31', type: 'd' },
    inLibreOffice: 'office:value-type="date"',
    inOpenpyxl: ['d', '1900-01-31 00:00:00'],
  },
  { cell: { text: 'TRUE', type: 'b' }, inLibreOffice: 'of:=TRUE()', inOpenpyxl: ['b', 'True'] },
  { cell: { text: '#N/A', type: 'e' }, inLibreOffice: '#N/A', inOpenpyxl: ['e', '#N/A'] },
  {
    cell: { text: 'alto', type: 't', emphasis: 'danger' },
    inLibreOffice: 'fo:background-color="#ffc7ce"',
    inOpenpyxl: ['s', 'alto'],
  },
]

beforeAll(async () => {
  const text = (value: string): WrittenCell => ({ text: value, type: 't' })
  const sheets = [
    {
      name: 'Clientes',
      columns: [
        { header: 'Texto', width: 40 },
        { header: 'n', width: 8 },
      ],
      rows: { cells: texts.map((value, i) => [text(value), text(`zqx${i}`)]) },
    },
    { name: 'Tipos', columns: [], rows: { cells: kinds.map(({ cell }) => [cell]) } },
    {
      name: "Resumo d'água",
      columns: [{ width: 30 }, { width: 10 }],
      rows: { cells: labels.map((label, i): WrittenCell[] => [text(label), { text: `${figures[i]}`, type: 'n' }]) },
      chart: {
        title: 'Processos por classe',
        labels: { column: 1, values: labels },
        figures: { column: 2, values: figures, name: 'Processos' },
        firstRow: 1,
        at: { column: 4, row: 2 },
        to: { column: 12, row: 20 },
      },
    },
  ]
  const properties = { title: 'Relatório', creator: 'Vigia', created: new Date(0) }
  await writeWorkbook(createWriteStream(path), { properties, sheets })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.runIf(officeDocument)(
  'LibreOffice opens a workbook of ours: 500 payloads inert, types as they are, the chart in its place',
  () => {
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    const made = spawnSync(officeDocument!, [profile, '--headless', '--convert-to', 'fods', '--outdir', folder, path])
    expect(made.status, `${made.stderr}`).toBe(0)
    const sheet = readFileSync(join(folder, 'report.fods'), 'utf8')
    expect(texts.length).toBeGreaterThanOrEqual(500)
    // LibreOffice itself makes formulas of booleans and errors.
    expect(sheet.replace(/table:formula="of:=(#N\/A|NA\(\)|TRUE\(\))"/g, '').match(/table:formula="[^"]*"/g)).toBeNull()
    expect(sheet.match(/>zqx\d+</g)).toHaveLength(texts.length)
    expect(kinds.map(({ inLibreOffice }) => inLibreOffice).filter((found) => !sheet.includes(found))).toEqual([])
    expect(sheet.includes('chart:class="chart:bar"')).toBe(true)
  },
)

test.runIf(openpyxl)('openpyxl agrees with us on each cell of it', () => {
  const read = spawnSync(python, [join(import.meta.dirname, 'read-workbook.py'), path], { maxBuffer: 64 * 1024 * 1024 })
  const [clients, types, summary] = JSON.parse(`${read.stdout}`)
  expect(clients).toMatchObject({ name: 'Clientes', frozen: 'A2', filter: `A1:B${texts.length + 1}` })
  expect(clients.rows.slice(1)).toEqual(
    texts.map((value, i) => [
      ['s', value],
      ['s', `zqx${i}`],
    ]),
  )
  expect(types.rows).toEqual(kinds.map(({ inOpenpyxl }) => [inOpenpyxl]))
  expect(summary).toMatchObject({ name: "Resumo d'água", charts: 1 })
})
