import { expect, test } from 'vitest'
import { cellsOf, type Parts, partsOf, rowsIn, stringsXml, stylesXml, workbookXml, zipOf } from './hand-made.ts'

const numbers = (...raw: string[]): string => raw.map((value) => `<c><v>${value}</v></c>`).join('')

test('a number gives its digits, without an exponent and without the noise of its last bits', async () => {
  expect(
    await cellsOf(
      numbers('1.1222333000181E13', '191', '0', '-5', '0.30000000000000004', '1234.5', '1.5E-7', '12E2', '7.0', ' 8 '),
    ),
  ).toEqual(['n 11222333000181', 'n 191', 'n 0', 'n -5', 'n 0.3', 'n 1234.5', 'n 0.00000015', 'n 1200', 'n 7', 'n 8'])
})

test('an integer of more than 15 digits is marked: a spreadsheet kept only the first of them', async () => {
  expect(
    await cellsOf(numbers('999999999999999', '1000000000000000', '1.2345678901234501E+19', '12345678901234567890')),
  ).toEqual(['n 999999999999999', 'x 1000000000000000', 'x 12345678901234501000', 'x 12345678901234567890'])
})

/** A number in each of the formats. */
const inFormats = (formats: string[], value: string | number, others: Parts = {}) => {
  const row = formats.map((_, style) => `<c s="${style}"><v>${value}</v></c>`).join('')
  return cellsOf(row, { 'xl/styles.xml': stylesXml(...formats), ...others })
}
const from1904 = {
  'xl/workbook.xml': workbookXml('<sheet name="a" r:id="rId1"/>', '<workbookPr date1904="1"/>'),
}

test('digits that the format pads with zeros are read as they are shown', async () => {
  const formats = ['00000000000', '000\\.000\\.000\\-00', '"CPF "000000000-00', '0', '0.00']
  expect(await inFormats(formats, 191)).toEqual([...Array(3).fill('z 00000000191'), 'n 191', 'n 191'])
})

test('dates are read as year, month and day, whatever their format shows', async () => {
  const formats = [
    'dd/mm/yyyy',
    '[$-416]d" de "mmmm',
    'yyyy-mm-dd hh:mm',
    'mm:ss',
    '[h]:mm',
    'General',
    '#,##0.00;[Red]-#',
  ]
  expect(await inFormats(formats, '46341.354166666664')).toEqual([
    ...Array(4).fill('D 2026-11-15 08:30:00'),
    'h 1112192:30:00',
    'n 46341.3541666667',
    'n 46341.3541666667',
  ])
})

test('only brackets count hours beyond a day; a moment of which no more than the time is shown keeps its day', async () => {
  const formats = ['hh:mm', 'h:mm:ss AM/PM', 'mm:ss', '[h]:mm', '[mm]:ss']
  const [moment, early] = ['D 2023-03-15 12:00:00', 'D 1900-01-01 06:00:00']
  const [late, long] = ['h 1080012:00:00', 'h 30:00:00']
  expect(await inFormats(formats, 45000.5)).toEqual([moment, moment, moment, late, late])
  expect(await inFormats(formats, 1.25)).toEqual([early, early, early, long, long])
  expect(await inFormats(formats, 0.5)).toEqual(formats.map(() => 'h 12:00:00'))
  expect(await inFormats(formats, 0)).toEqual(formats.map(() => 'h 00:00:00'))
})

test.each([
  [1, 'd 1900-01-01'],
  [59, 'd 1900-02-28'],
  [60, 'd 1900-02-29'],
  [61, 'd 1900-03-01'],
  [45_292, 'd 2024-01-01'],
  [2_958_465, 'd 9999-12-31'],
  // No calendar has these days, so they stay numbers.
  [-1, 'n -1'],
  [2_958_466, 'n 2958466'],
])('day %s of the calendar of 1900 is %s', async (serial, cell) => {
  expect(await inFormats(['dd/mm/yyyy'], serial)).toEqual([cell])
})

test.each([
  ['dd/mm/yyyy', 0, 'd 1904-01-01'],
  ['dd/mm/yyyy', 43_830, 'd 2024-01-01'],
  ['hh:mm', 0.5, 'h 12:00:00'],
  ['hh:mm', 43_830.5, 'D 2024-01-01 12:00:00'],
])('where days are counted from 1904, %s of %s is %s', async (format, serial, cell) => {
  expect(await inFormats([format], serial, from1904)).toEqual([cell])
})

test('formats that are known by number alone are dates too, and a missing style is not', async () => {
  const ids = [14, 17, 18, 21, 22, 45, 46, 47, 0, 4, 49]
  const others = {
    'xl/styles.xml': stylesXml().replace('<cellXfs>', `<cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}`),
  }
  const row = [...ids, 99].map((_, style) => `<c s="${style}"><v>1.5</v></c>`).join('')
  expect((await cellsOf(row, others)).map(([letter]) => letter).join('')).toBe('DDDDDDhDnnnn')
})

test('booleans, errors, dates of the strict dialect and calculated values each have their letter', async () => {
  const row = [
    '<c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#N/A</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c>',
    '<c t="d"><v>2026-11-15</v></c><c t="d"><v>2026-11-15T08:30:00.000Z</v></c>',
    '<c><f>A1+1</f><v>2</v></c><c t="str"><f>"a"&amp;"b"</f><v>a_x000D_b</v></c><c><f>NOW()</f></c><c t="str"><f>""</f><v></v></c>',
  ]
  expect(await cellsOf(row.join(''))).toEqual([
    'b TRUE',
    'b FALSE',
    'e #N/A',
    'e #DIV/0!',
    'd 2026-11-15',
    'D 2026-11-15 08:30:00',
    'n 2',
    't a\rb',
    'f ',
    'f ',
  ])
})

test('rich text is joined, and its pronunciation is left out', async () => {
  const strings = stringsXml(
    '<si><t>plain</t></si><si><r><rPr><b/></rPr><t>São</t></r><r><t xml:space="preserve"> Paulo</t></r></si>' +
      '<si><t>課きく</t><rPh sb="0" eb="1"><t>カ</t></rPh><phoneticPr fontId="1"/></si><si/>',
  )
  const row =
    '<c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c><c t="s"><v>0</v></c>' +
    '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c>'
  expect(await cellsOf(row, { 'xl/sharedStrings.xml': strings })).toEqual([
    't São Paulo',
    't 課きく',
    '- ',
    't plain',
    't inline',
  ])
})

test('space counts where the file says so; escapes, entities and CDATA become what they stand for', async () => {
  const texts = [
    '<t> a </t>',
    '<t xml:space="preserve"> a </t>',
    '<t>1_x000D_&#10;2_x0009_3</t>',
    '<t>_x005F_x000D_</t>',
    '<t>_x0000_</t>',
    '<t>&lt;&amp;&gt;&quot;&apos;&#x1F600;&#231;</t>',
    '<t>a<![CDATA[<b>&amp;]]>c<!-- no -->d</t>',
  ]
  expect(await cellsOf(texts.map((text) => `<c t="inlineStr"><is>${text}</is></c>`).join(''))).toEqual([
    't a',
    't  a ',
    't 1\r\n2\t3',
    't _x000D_',
    't _x0000_',
    't <&>"\'😀ç',
    't a<b>&amp;cd',
  ])
})

test('cells are placed by their references, rows keep their numbers, and empty ones are left out', async () => {
  const rows = [
    '<row r="3" hidden="1"><c r="B3"><v>1</v></c><c r="AA3"><v>2</v></c><c r="XFD3" s="0"/></row>',
    '<row r="5"><c r="A5"/><c r="B5" t="inlineStr"><is><t/></is></c></row><row><c><v>3</v></c><c><v>4</v></c></row>',
  ]
  const found = await rowsIn(zipOf(partsOf(rows.join(''))))
  expect(found.map(({ number, hidden }) => [number, hidden])).toEqual([
    [3, true],
    [6, false],
  ])
  expect(found[0]?.cells).toEqual(['', '1', ...Array(24).fill(''), '2'])
  expect(found[0]?.types).toBe(`-n${'-'.repeat(24)}n`)
  expect(found[1]?.cells).toEqual(['3', '4'])
})
