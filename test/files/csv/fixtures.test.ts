import { expect, test } from 'vitest'
import { rowReader } from '../../../src/batches/layout.ts'
import { readTable } from '../../../src/batches/read-layout.ts'
import { openCsv } from '../../../src/files/csv/read.ts'
import { collect, inPieces } from './bytes.ts'
import { fixtureFiles } from './fixture-files.ts'

const fixtures = fixtureFiles()

test('more than a hundred files of people and programs are read', () => {
  expect(fixtures.length).toBeGreaterThan(100)
})

test.each(fixtures)('reads $name as its golden expectation says', async ({ bytes, golden }) => {
  const reading = readAll(() => inPieces(bytes, 13))
  if ('problem' in golden) {
    const { problem: code, ...line } = golden
    await expect(reading).rejects.toMatchObject({ name: 'FileProblem', code, ...line })
    return
  }
  const { dialect, rows, blankLines } = await reading
  expect(dialect).toMatchObject(golden.dialect)
  expect(rows).toEqual(golden.rows)
  expect(blankLines).toBe(golden.blankLines ?? 0)
})

/** Reads a file as an import does; a row is shown as fixtures are written. */
const readAll = async (open: () => AsyncIterable<Uint8Array>) => {
  await using table = await readTable(open, { kind: 'analysis', choice: {}, remembered: [] })
  const { dialect, columns } = table.layout
  const file = await openCsv(table.open(), dialect)
  const readRow = rowReader(columns, 'analysis')
  const rows = (await collect(file.records)).flat().map((record) => {
    const row = readRow(record)[0]!
    if ('rejected' in row) return `${record.line} ${row.rejected}`
    const { documentType, question } = row.question
    return `${record.line} ${documentType} ${question}${row.repair ? ` +${row.repair.replaceAll('+', ' +')}` : ''}`
  })
  return { dialect, rows, blankLines: file.blankLines() }
}
