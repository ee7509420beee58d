import { test as check, fc } from '@fast-check/vitest'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvOfTable } from '../../../src/batches/table-file.ts'
import { csvText, inertLine } from '../../../src/files/csv/dialect.ts'
import { changesCsv } from '../../../src/monitoring/changes-file.ts'
import { runs } from '../../support/runs.ts'

const cells = fc.string({
  unit: fc.constantFrom(...'aç0912 -=+@＝＋－＠"\';,|.\t\r\n\u0001'),
  maxLength: 8,
})
check.prop([cells], runs(100))('whatever a text holds, as a cell it starts no formula and breaks no row', (text) => {
  const [[cell]] = parse(`${csvText(text)};x\n`, { delimiter: ';' }) as [[string]]
  expect(cell.endsWith(text)).toBe(true)
  expect(cell.trimStart()).not.toMatch(/^[=+@＝＋－＠]|^-(?![0-9]+([.,][0-9]+)?$)/)
})

check.prop([cells], runs(100))('a text on one line is inert by the same rule', (text) => {
  const line = inertLine(text)
  expect(line).not.toMatch(/\p{Cc}/u)
  expect([line, `"${line.replaceAll('"', '""')}"`]).toContain(csvText(text.replace(/[\s\p{Cc}]+/gu, ' ').trim()))
})

test('every table that is taken away spares a plain negative number, and starts no formula', () => {
  const texts = ['-12', '-3,50', '=1+1', ' -1-1']
  const spared = ['-12', '-3,50', "'=1+1", "'-1-1"]
  const table = csvOfTable({ title: 'any', columns: ['a', 'b', 'c', 'd'], rows: [texts] })
  expect(table.split('\r\n')[1]).toBe(spared.join(';'))
  const named = texts.map((name) => ({ ...change, name }))
  const names = changesCsv(named, () => null, 'America/Sao_Paulo')
    .trimEnd()
    .split('\r\n')
  expect(names.map((line) => line.split(';')[3])).toEqual(spared)
})

const change = {
  id: 1n,
  seenAt: new Date('2026-11-15T05:00:00Z'),
  organizationId: 7001n,
  document: '12345678909',
  field: 'processes',
  verdict: 'worse' as const,
  before: '1',
  after: '2',
  weight: 1n,
  sweepId: 1n,
}
