import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import type { WrittenCell } from '../../src/files/xlsx/write/cell-xml.ts'
import type { Language } from '../../src/messages/languages.ts'
import { answerAll } from '../batches/answers.ts'
import { type Ground, setupGround } from '../batches/ground.ts'
import { written } from '../files/xlsx/hand-made.ts'
import { cpf } from '../support/documents.ts'
import { formulaPayloads } from './formula-payloads.ts'
import { officeDocument, opened, openpyxl, runPython } from './open-in-office.ts'

/** In the caller's own cells too. Readers disagree about a carriage return and a vertical tab, which no XML can hold. */
const payloads = formulaPayloads.filter((payload) => !/[\r\v]/.test(payload))
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** A cell of ours, and what LibreOffice and openpyxl must find in it. */
const kinds: [cell: WrittenCell, inLibreOffice: string, inOpenpyxl: [string, string]][] = [
  [{ text: '11222333000181', type: 'n' }, 'office:value="11222333000181"', ['n', '11222333000181']],
  [{ text: '2026-11-15', type: 'd' }, 'office:date-value="2026-11-15"', ['d', '2026-11-15 00:00:00']],
  [{ text: '1900-01-31', type: 'd' }, 'office:value-type="date"', ['d', '1900-01-31 00:00:00']],
  [{ text: 'TRUE', type: 'b' }, 'of:=TRUE()', ['b', 'True']],
  [{ text: '#N/A', type: 'e' }, '#N/A', ['e', '#N/A']],
]

let t: Ground
let ofKinds: string
const paths: Partial<Record<Language, string>> = {}

beforeAll(async () => {
  t = await setupGround()
  const rows = payloads.map((payload, n) => `${cpf(n)};${quoted(payload)}`)
  const batch = await t.imported(`documento;texto\r\n${rows.join('\r\n')}\r\n123;curto\r\n`)
  await answerAll(t.sql, batch.id)
  await t.sql`
    update vigia.lookup set remote_id = payload, message = jsonb_build_array('text', payload), state = case when n % 2 = 0 then 'failed' else 'ok' end
      from (select id as lookup_id, (${payloads}::text[])[row_number() over (order by id)] as payload,
                   row_number() over (order by id) as n
              from vigia.lookup where batch_id = ${batch.id}) as numbered
     where lookup.id = numbered.lookup_id`
  for (const language of ['pt-BR', 'en'] as const) {
    const folder = join(t.home.outbox, language)
    const options = { folder, now: new Date(0), settings: t.settings, format: 'xlsx', language } as const
    paths[language] = (await exportBatch(t.sql, batch.id, options)).workbook!
  }
})
afterAll(() => t[Symbol.asyncDispose]())

beforeAll(async () => {
  ofKinds = join(t.home.path, 'kinds.xlsx')
  const sheet = { name: 'Tipos', columns: [], rows: { cells: kinds.map(([cell]) => [cell]) } }
  await writeFile(ofKinds, await written({ sheets: [sheet] }))
})

test.runIf(officeDocument)('LibreOffice finds the type of each kind of cell', () => {
  const [sheet] = opened([ofKinds], t.home.path) as [string]
  expect(kinds.map(([, found]) => found).filter((found) => !sheet.includes(found))).toEqual([])
})

test.runIf(openpyxl)('openpyxl finds the type of each kind of cell', () => {
  const [{ rows }] = JSON.parse(runPython('read-workbook.py', ofKinds))
  expect(rows).toEqual(kinds.map(([, , found]) => [found]))
})

test.runIf(officeDocument).each(['pt-BR', 'en'] as const)(
  'LibreOffice opens a report of ours (%s): 500 payloads inert, types as they should be, the chart in its place',
  (language) => {
    const [workbook] = opened([paths[language]!], t.home.path) as [string]
    expect(payloads.length).toBeGreaterThanOrEqual(500)
    expect(workbook.match(/table:formula="[^"]*"/g)).toBeNull()
    expect(workbook).toContain('office:date-value="2026-11-01T09:00:00"')
    expect(workbook.match(/office:value="1234.56"/g)!.length).toBeGreaterThanOrEqual(20 * 500)
    expect(workbook).toContain('chart:class="chart:bar"')
    expect(workbook).toContain('fo:background-color="#ffc7ce"')
  },
)

test.runIf(openpyxl)('openpyxl agrees with us on each cell of a report', () => {
  const [results, summary, rejects, about] = JSON.parse(runPython('read-workbook.py', paths.en!))
  expect([results, summary, rejects, about].map(({ name }) => name)).toEqual(['Results', 'Summary', 'Rejects', 'About'])
  expect(results).toMatchObject({ frozen: 'A2', filter: `A1:BB${payloads.length + 2}` })
  expect(summary).toMatchObject({ charts: 1, frozen: null })
  expect(results.rows).toHaveLength(payloads.length + 2)
  for (const [n, payload] of payloads.entries()) {
    const failed = n % 2 === 1
    expect(results.rows[n + 1]).toEqual([
      ['s', cpf(n)],
      ['s', payload],
      ['s', failed ? 'failed' : 'answered'],
      ['s', 'at risk'],
      failed ? ['s', payload] : ['n', null],
      ['s', 'yes'],
      ['n', null],
      ['s', cpf(n)],
      ['d', '2026-11-01 09:00:00'],
      ['s', payload],
      ...Array.from({ length: 4 }, () => ['n', null]),
      ...Array.from({ length: 20 }, () => [
        ['n', '7'],
        ['n', '1234.56'],
      ]).flat(),
    ])
  }
  expect(results.rows.at(-1).slice(0, 3)).toEqual([
    ['s', '123'],
    ['s', 'curto'],
    ['s', 'rejected'],
  ])
  expect(rejects.rows[1].slice(1, 2)).toEqual([['s', 'Too many or too few digits']])
  expect(rejects.rows[1].slice(3)).toEqual([
    ['s', '123'],
    ['s', 'curto'],
  ])
})
