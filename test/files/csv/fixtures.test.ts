import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDocument } from '../../../src/domain/document.ts'
import { bareColumns, findColumns } from '../../../src/files/columns/find-columns.ts'
import { detectDialect } from '../../../src/files/csv/detect-dialect.ts'
import { openCsv } from '../../../src/files/csv/read.ts'
import { collect, inPieces } from './bytes.ts'
import { fixtureFiles } from './fixture-files.ts'

const folder = join(import.meta.dirname, '../../fixtures/csv')
const fixtures = fixtureFiles()
const isCsv = (name: string) => name.endsWith('.csv')

test('has the files on disk that the fixtures describe, more than a hundred', () => {
  expect(readdirSync(folder).filter(isCsv).sort()).toEqual(fixtures.map(({ name }) => name).sort())
  expect(fixtures.length).toBeGreaterThan(100)
  for (const { name, bytes } of fixtures) expect(readFileSync(join(folder, name)).equals(bytes), name).toBe(true)
})

test.each(fixtures)('reads $name as its golden expectation says', async ({ bytes, golden }) => {
  const snapshot = readAll(() => inPieces(bytes, 13))
  if ('problem' in golden) {
    const { problem: code, ...line } = golden
    await expect(snapshot).rejects.toMatchObject({ name: 'FileProblem', code, ...line })
    return
  }
  const { dialect, rows, blankLines } = await snapshot
  expect(dialect).toMatchObject(golden.dialect)
  expect(rows).toEqual(golden.rows)
  expect(blankLines).toBe(golden.blankLines ?? 0)
})

const readAll = async (open: () => AsyncIterable<Uint8Array>) => {
  const dialect = await detectDialect(open())
  const file = await openCsv(open(), dialect)
  const columns = file.header ? findColumns(file.header.cells, 'analysis') : bareColumns('analysis')
  const records = (await collect(file.records)).flat()
  const rows = records.map(({ line, cells, misquoted }) => {
    if (misquoted) return [line, 'misquoted']
    const typeCell = columns.type === undefined ? undefined : cells[columns.type]
    const snapshot = readDocument(cells[columns.document as number] ?? '', typeCell, columns.likely)
    if ('refused' in snapshot) return [line, snapshot.refused]
    return [line, `${snapshot.document.type} ${snapshot.document.number}`, ...snapshot.repairs]
  })
  return { dialect, rows, blankLines: file.blankLines() }
}
