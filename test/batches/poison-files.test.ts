import { expect, test } from 'vitest'
import { readTable } from '../../src/batches/read-layout.ts'
import { threadLimits } from '../../src/files/thread/read-in-thread.ts'
import { partsOf, relationshipsXml, stringsXml, stylesXml, workbookXml, zipOf } from '../files/xlsx/hand-made.ts'

/** A quarter of a worker's limits: far above the cost of one pass over a file, far below that of repeated passes. */
const limits = { ...threadLimits, milliseconds: threadLimits.milliseconds / 4 }

const read = (content: string | Buffer) =>
  readTable(
    async function* () {
      yield Buffer.from(content)
    },
    { kind: 'analysis', choice: {}, remembered: [] },
    limits,
  )

const table = '<row><c t="inlineStr"><is><t>cpf</t></is></c></row><row><c s="0"><v>12345678909</v></c></row>'
const shared = (texts: string[], rows: string) =>
  zipOf(partsOf(rows, { 'xl/sharedStrings.xml': stringsXml(texts.map((text) => `<si><t>${text}</t></si>`).join('')) }))

const sheetsAndRelationships = (count: number): Buffer => {
  const targets = Array.from({ length: count }, (_, i) => [`worksheets/sheet${i}.xml`, 'chartsheet'])
  const sheets = Array.from({ length: count }, (_, i) => `<sheet name="${i}" r:id="none${i}"/>`).join('')
  return zipOf(
    partsOf(table, {
      'xl/_rels/workbook.xml.rels': relationshipsXml(Object.fromEntries(targets)),
      'xl/workbook.xml': workbookXml(sheets),
    }),
  )
}

test('a text with 220,000 spaces inside is refused as too long', async () => {
  const spaces = shared([`a${' '.repeat(220_000)}b`], '<row><c t="s"><v>0</v></c></row>')
  await expect(read(spaces)).rejects.toMatchObject({ code: 'too_large' })
})

test('a number of 390,000 digits that is none is refused as damaged', async () => {
  const digits = zipOf(partsOf(`${table}<row><c><v>${'1'.repeat(390_000)}x</v></c></row>`))
  await expect(read(digits)).rejects.toMatchObject({ code: 'damaged' })
})

test('a number format of 390,000 brackets does not delay reading', async () => {
  const brackets = zipOf(partsOf(table, { 'xl/styles.xml': stylesXml('['.repeat(390_000)) }))
  await using found = await read(brackets)
  expect(found).toMatchObject({ headers: ['cpf'], sheet: { columns: 1 } })
})

test('a workbook that lists 60,000 sheets is refused as too large', async () => {
  await expect(read(sheetsAndRelationships(60_000))).rejects.toMatchObject({ code: 'too_large' })
})

test('300,000 cells that point at one long text are refused before they fill memory or disk', async () => {
  const cells = '<c t="s"><v>0</v></c>'.repeat(100)
  const swelling = shared(['x'.repeat(32_000)], `${table}${`<row>${cells}</row>`.repeat(3_000)}`)
  await expect(read(swelling)).rejects.toMatchObject({
    reason: ['workbook_large', 'xl/worksheets/sheet1.xml', 250, 'bytes_unpacked_of_one'],
  })
})

test('a CSV may have as many columns as a sheet, and no more', async () => {
  const wide = (columns: number) => {
    const names = Array.from({ length: columns }, (_, i) => (i === 0 ? 'cpf' : `c${i}`))
    return `${names.join(';')}\n${'12345678909;'.repeat(columns - 1)}\n`
  }
  await expect(read(wide(2_001))).rejects.toMatchObject({
    code: 'too_many_columns',
    reason: ['at_line', 1, ['many_columns', 2_001, 2_000]],
  })
  await using widest = await read(wide(2_000))
  expect(widest.headers).toHaveLength(2_000)
})
