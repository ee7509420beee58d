import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WrittenCell } from '../../src/files/xlsx/write/cell-xml.ts'
import { writeWorkbook } from '../../src/files/xlsx/write-workbook.ts'
import { formulaPayloads } from './formula-payloads.ts'
import { officeDocument, opened, openpyxl, runPython } from './open-in-office.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigia-workbook-'))
const path = join(folder, 'report.xlsx')
const texts = formulaPayloads.filter((payload) => !/[\r\v]/.test(payload))
const labels = ['Trabalhista', 'Execução fiscal', 'Cível & outros']
const figures = [12, 40, 7]

/** A cell of ours, and what LibreOffice and openpyxl must find in it. */
const kinds: [cell: WrittenCell, inLibreOffice: string, inOpenpyxl: [string, string]][] = [
  [{ text: '00000000191', type: 't' }, 'office:value-type="string"', ['s', '00000000191']],
  [{ text: '1234.5', type: 'n', look: 'amount' }, 'office:value="1234.5"', ['n', '1234.5']],
  [{ text: '11222333000181', type: 'n' }, 'office:value="11222333000181"', ['n', '11222333000181']],
  [{ text: '2026-11-15', type: 'd' }, 'office:date-value="2026-11-15"', ['d', '2026-11-15 00:00:00']],
  [{ text: '2026-11-15 08:30:00', type: 'D' }, 'date-value="2026-11-15T08:30:00"', ['d', '2026-11-15 08:30:00']],
  [{ text: '1900-01-31', type: 'd' }, 'office:value-type="date"', ['d', '1900-01-31 00:00:00']],
  [{ text: 'TRUE', type: 'b' }, 'of:=TRUE()', ['b', 'True']],
  [{ text: '#N/A', type: 'e' }, '#N/A', ['e', '#N/A']],
  [{ text: 'alto', type: 't', emphasis: 'danger' }, 'fo:background-color="#ffc7ce"', ['s', 'alto']],
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
    { name: 'Tipos', columns: [], rows: { cells: kinds.map(([cell]) => [cell]) } },
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
    const [sheet] = opened([path], folder) as [string]
    expect(texts.length).toBeGreaterThanOrEqual(500)
    // LibreOffice itself makes formulas of booleans and errors.
    expect(sheet.replace(/table:formula="of:=(#N\/A|NA\(\)|TRUE\(\))"/g, '').match(/table:formula="[^"]*"/g)).toBeNull()
    expect(sheet.match(/>zqx\d+</g)).toHaveLength(texts.length)
    expect(kinds.map(([, found]) => found).filter((found) => !sheet.includes(found))).toEqual([])
    expect(sheet.includes('chart:class="chart:bar"')).toBe(true)
  },
)

test.runIf(openpyxl)('openpyxl agrees with us on each cell of it', () => {
  const [clients, types, summary] = JSON.parse(runPython('read-workbook.py', path))
  expect(clients).toMatchObject({ name: 'Clientes', frozen: 'A2', filter: `A1:B${texts.length + 1}` })
  expect(clients.rows.slice(1)).toEqual(
    texts.map((value, i) => [
      ['s', value],
      ['s', `zqx${i}`],
    ]),
  )
  expect(types.rows).toEqual(kinds.map(([, , found]) => [found]))
  expect(summary).toMatchObject({ name: "Resumo d'água", charts: 1 })
})
