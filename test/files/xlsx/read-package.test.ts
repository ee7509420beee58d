import { expect, test } from 'vitest'
import { readWorkbook } from '../../../src/files/xlsx/read-workbook.ts'
import {
  inPieces,
  main,
  partsOf,
  relationshipsXml,
  rowsIn,
  sheetXml,
  stringsXml,
  workbookXml,
  zipOf,
} from './hand-made.ts'

const one = '<row r="1"><c r="A1"><v>1</v></c></row>'

test('sheets are found by their relationships, not by the names of their parts', async () => {
  const parts = partsOf('', {
    'xl/workbook.xml': workbookXml('<sheet name="B" r:id="rId2"/><sheet name="A" r:id="rId1" state="hidden"/>'),
    'xl/_rels/workbook.xml.rels': relationshipsXml({ '/other/first.xml': 'worksheet', '../second.xml': 'worksheet' }),
    'other/first.xml': sheetXml('<row r="1"><c r="A1"><v>1</v></c></row>'),
    'second.xml': sheetXml('<row r="1"><c r="A1"><v>2</v></c></row>'),
  })
  await using workbook = await readWorkbook(inPieces(zipOf(parts)))
  expect(workbook.sheets).toEqual([
    { name: 'B', hidden: false, state: '', part: 'second.xml' },
    { name: 'A', hidden: true, state: 'hidden', part: 'other/first.xml' },
  ])
  expect((await rowsIn(zipOf(parts), 'A'))[0]?.cells).toEqual(['1'])
  expect((await rowsIn(zipOf(parts), 'B'))[0]?.cells).toEqual(['2'])
})

test('a sheet that is a chart has no cells and is not offered', async () => {
  const parts = partsOf(one, {
    'xl/workbook.xml': workbookXml('<sheet name="Chart" r:id="rId2"/><sheet name="Plan1" r:id="rId1"/>'),
    'xl/_rels/workbook.xml.rels': relationshipsXml({ 'worksheets/sheet1.xml': 'worksheet', 'c.xml': 'chartsheet' }),
  })
  await using workbook = await readWorkbook(inPieces(zipOf(parts)))
  expect(workbook.sheets.map(({ name }) => name)).toEqual(['Plan1'])
})

test('the strict dialect and prefixed namespaces are read alike, and foreign elements are skipped', async () => {
  const strict = 'http://purl.oclc.org/ooxml/spreadsheetml/main'
  const sheets = [
    `<worksheet xmlns="${strict}"><sheetData>${one}</sheetData></worksheet>`,
    `<x:worksheet xmlns:x="${main}"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    `<worksheet xmlns="${main}" xmlns:f="urn:f"><f:sheetData><f:row/></f:sheetData><sheetData><row r="1"><c r="A1"><f:v>9</f:v><v>1</v>
       <extLst xmlns="urn:g"><v>8</v></extLst></c></row></sheetData></worksheet>`,
    `<?xml version='1.0' encoding='utf-8'?>\n<!-- a -->\n<worksheet\n xmlns='${main}' a = ">" ><sheetData ><row r = '1' ><c r = 'A1' t
="n"><v>1</v ></c></row></sheetData></worksheet>`,
  ]
  for (const sheet of sheets)
    expect((await rowsIn(zipOf(partsOf('', { 'xl/worksheets/sheet1.xml': sheet }))))[0]?.cells).toEqual(['1'])
})

test('a part may be UTF-16 or begin with a byte order mark', async () => {
  const text = stringsXml('<si><t>São João 😀</t></si>')
  const row = '<row><c t="s"><v>0</v></c></row>'
  const swapped = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  for (const strings of [Buffer.from(`\ufeff${text}`), Buffer.from(`\ufeff${text}`, 'utf16le'), swapped])
    expect((await rowsIn(zipOf(partsOf(row, { 'xl/sharedStrings.xml': strings }))))[0]?.cells).toEqual(['São João 😀'])
})

test('characters that span two pieces of a part are read correctly', async () => {
  const text = `${'a'.repeat(13)}ção €😀`.repeat(1_000)
  const strings = stringsXml(Array.from({ length: 40 }, (_, i) => `<si><t>${'x'.repeat(i)}${text}</t></si>`).join(''))
  const row = Array.from({ length: 40 }, (_, i) => `<c t="s"><v>${i}</v></c>`).join('')
  const [found] = await rowsIn(zipOf(partsOf(`<row>${row}</row>`, { 'xl/sharedStrings.xml': strings })))
  expect(found?.cells.every((cell, i) => cell === 'x'.repeat(i) + text)).toBe(true)
})

test('shared strings beyond the memory limit are read back from a file', async () => {
  const texts = Array.from({ length: 3_000 }, (_, i) => `${i}-${'ç'.repeat(i % 900)}`)
  const strings = stringsXml(texts.map((text) => `<si><t>${text}</t></si>`).join(''))
  const row = texts.map((_, i) => `<c t="s"><v>${texts.length - 1 - i}</v></c>`).join('')
  const bytes = zipOf(partsOf(`<row>${row}</row>`, { 'xl/sharedStrings.xml': strings }))
  await using workbook = await readWorkbook(inPieces(bytes), { sharedStringMemory: 1, columns: 3_000 })
  for await (const [found] of workbook.rows('Plan1'))
    expect(found?.cells.join() === texts.toReversed().join()).toBe(true)
})

test('a reader may stop early, and start again', async () => {
  const rows = Array.from({ length: 50_000 }, (_, i) => `<row><c><v>${i + 1}</v></c></row>`).join('')
  await using workbook = await readWorkbook(inPieces(zipOf(partsOf(rows))))
  for (let time = 0; time < 2; time++) {
    for await (const [first] of workbook.rows('Plan1')) {
      expect(first?.cells).toEqual(['1'])
      break
    }
  }
})

test('an unknown sheet is answered with the names of the existing sheets', async () => {
  await expect(rowsIn(zipOf(partsOf(one)), 'Clientes')).rejects.toMatchObject({
    code: 'unknown_sheet',
    message: 'there is no sheet "Clientes"; the workbook has "Plan1"',
  })
})
