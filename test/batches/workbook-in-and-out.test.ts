import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { beginAtomicFile } from '../../src/batches/atomic-file.ts'
import { formatOf, layoutOf } from '../../src/batches/layout.ts'
import { storeFile } from '../../src/batches/stored-file.ts'
import { writeReportWorkbook } from '../../src/batches/workbook/write-report.ts'
import { readWorkbook } from '../../src/files/xlsx/read-workbook.ts'
import type { WrittenCell } from '../../src/files/xlsx/write/cell-xml.ts'
import { writeWorkbook } from '../../src/files/xlsx/write-workbook.ts'
import { cpf } from '../support/documents.ts'
import { answerAll } from './answers.ts'
import { setupGround } from './ground.ts'

test('a batch that came in as a workbook returns its cells with their types, in the report and in the rejects', async () => {
  await using t = await setupGround()
  const text = (value: string): WrittenCell => ({ text: value, type: 't' })
  const own: WrittenCell[] = [
    { text: '1234.5', type: 'n' },
    { text: '2026-11-15', type: 'd' },
    { text: 'TRUE', type: 'b' },
  ]
  const rows = [['documento', 'limite', 'desde', 'ativo'].map(text), [text(cpf(1)), ...own], [text('123'), ...own]]
  const stored = await storeFile(t.sql, Readable.from([await bytesOf(rows)]))
  const imported = await t.imported(`documento;limite;desde;ativo\n${cpf(1)};1234.5;2026-11-15;TRUE\n123;;;\n`)
  await answerAll(t.sql, imported.id)
  const batch = { ...imported, workbookId: stored.id, layout: { ...layoutOf(imported), sheet: 'Plan1' } }
  const path = join(t.home.outbox, 'people.report.xlsx')
  const file = await beginAtomicFile(path)

  const spend = { charged: 1, open: 0, unknown: 0, limit: null }
  const options = { language: 'en', timezone: 'America/Sao_Paulo', now: new Date(0), prices: null, spend } as const
  const { states } = await t.sql.begin((tx) => writeReportWorkbook({ tx, sql: t.sql }, batch, file, options))
  await file.publish()

  expect(formatOf(batch)).toBe('xlsx')
  expect(Object.fromEntries(states)).toEqual({ ok: 1, rejected: 1 })
  await using workbook = await readWorkbook(Readable.from([await readFile(path)]))
  const sheet = async (name: string) => {
    const found = []
    for await (const group of workbook.rows(name)) found.push(...group)
    return found
  }
  const [, answered, inPlace] = await sheet('Results')
  expect(inPlace!.cells.slice(0, 5)).toEqual(['123', '1234.5', '2026-11-15', 'TRUE', 'rejected'])
  expect(answered!.cells.slice(0, 5)).toEqual([cpf(1), '1234.5', '2026-11-15', 'TRUE', 'answered'])
  expect(answered!.types.slice(0, 5)).toBe('tndbt')
  const [, rejected] = await sheet('Rejects')
  expect(rejected!.cells.slice(3)).toEqual(['123', '1234.5', '2026-11-15', 'TRUE'])
  expect(rejected!.types).toBe('ntttndb')
})

const bytesOf = async (cells: WrittenCell[][]): Promise<Buffer> => {
  const pieces: Buffer[] = []
  const sink = new Writable({
    write(piece, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
  const properties = { title: 'a', creator: 'b', created: new Date(0) }
  await writeWorkbook(sink, { properties, sheets: [{ name: 'Plan1', columns: [], rows: { cells } }] })
  return Buffer.concat(pieces)
}
