import { expect, test } from 'vitest'
import { openOtherSheets } from '../../../src/files/xlsx/others/other-sheets.ts'
import type { WorkbookLimits } from '../../../src/files/xlsx/read/workbook-limits.ts'
import { readWorkbook } from '../../../src/files/xlsx/read-workbook.ts'
import { otherStyleNumber } from '../../../src/files/xlsx/write/styles-xml.ts'
import {
  inPieces,
  main,
  type Parts,
  partsOf,
  relationshipsXml,
  sheetXml,
  stringsXml,
  workbookXml,
  written,
  zipOf,
} from './hand-made.ts'
import { partsIn } from './parts-in.ts'

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const drawing = 'xmlns:xdr="urn:xdr" xmlns:a="urn:a" xmlns:c="urn:c"'

/** A workbook with the sheets Base, which was read, Notas and Outra. */
const workbookWith = (others: Parts): Parts =>
  partsOf('', {
    'xl/workbook.xml': workbookXml(
      '<sheet name="Base" sheetId="1" r:id="rId1"/><sheet name="Notas" sheetId="2" r:id="rId2"/>' +
        '<sheet name="Outra" sheetId="3" r:id="rId3" state="veryHidden"/>',
    ),
    'xl/_rels/workbook.xml.rels': relationshipsXml({
      'worksheets/sheet1.xml': 'worksheet',
      'worksheets/sheet2.xml': 'worksheet',
      'worksheets/sheet3.xml': 'worksheet',
      'sharedStrings.xml': 'sharedStrings',
      'styles.xml': 'styles',
    }),
    'xl/worksheets/sheet2.xml': sheetXml(''),
    'xl/worksheets/sheet3.xml': sheetXml(''),
    ...others,
  })

/** What comes back of it, after one sheet of ours: Notas is sheet2, Outra sheet3. */
const passed = async (given: Parts, limits: Partial<WorkbookLimits> = {}): Promise<Record<string, string>> => {
  await using workbook = await readWorkbook(inPieces(zipOf(given)), limits)
  const others = await openOtherSheets(workbook, {
    leavesOut: (name) => name === 'Base',
    formatMessage: (message) => JSON.stringify(message),
  })
  const bytes = await written({ sheets: [{ name: 'Results', columns: [], rows: { cells: [] } }], others })
  await using again = await readWorkbook(inPieces(bytes))
  for (const { name } of again.sheets) for await (const _ of again.rows(name));
  return partsIn(bytes)
}

const sheet = (rows: string, after = '', before = '') =>
  `<worksheet xmlns="${main}" xmlns:r="${relations}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`
const formulas = (...all: string[]) =>
  all.map((text, at) => `<row r="${at + 1}"><c r="A${at + 1}"><f>${text}</f><v>${at}</v></c></row>`).join('')
const formulasIn = (xml: string) =>
  [...xml.matchAll(/<c r="A\d+"[^>]*>(?:<f[^>]*>([^<]*)<\/f>)?<v>/g)].map(([, f]) => f)

test('a sheet comes back as it was: its formulas, widths, merged cells, views, validations and protection', async () => {
  const xml = sheet(
    `<row r="2" ht="30" customHeight="1"><c r="B2"><f>B3*2</f><v>4</v></c><c r="C2" t="s"><v>1</v></c></row>`,
    '<sheetProtection sheet="1"/><mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>' +
      '<conditionalFormatting sqref="B2"><cfRule type="expression" dxfId="0" priority="1"><formula>B2&gt;1</formula></cfRule></conditionalFormatting>' +
      '<dataValidations count="1"><dataValidation type="list" sqref="B2"><formula1>"a,b"</formula1></dataValidation></dataValidations>' +
      '<pageSetup orientation="landscape" r:id="rId9"/>',
    '<sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" state="frozen"/></sheetView></sheetViews>' +
      '<cols><col min="1" max="1" width="33"/></cols>',
  )
  const strings = stringsXml('<si><t>segredo da base</t></si><si><r><rPr><b/></rPr><t>meu</t></r></si>')
  const parts = await passed(workbookWith({ 'xl/worksheets/sheet2.xml': xml, 'xl/sharedStrings.xml': strings }))

  const style = ` s="${otherStyleNumber(0)}"`
  expect(parts['xl/worksheets/sheet2.xml']?.replace(/^.*\n/, '')).toBe(
    xml
      .replaceAll('<c r="B2">', `<c r="B2"${style}>`)
      .replace('t="s"', `t="s"${style}`)
      .replace(' tabSelected="1"', '')
      .replace('dataValidations count="1"', 'dataValidations')
      .replace(' r:id="rId9"', '')
      .replaceAll('></pane>', '/>'),
  )
  expect(parts['xl/workbook.xml']).toContain('<sheet name="Outra" sheetId="3" state="veryHidden"')
  expect(parts['xl/sharedStrings.xml']).toContain('<si><t/></si><si><r><rPr><b/></rPr><t>meu</t></r></si></sst>')
})

test('a formula that names the sheet that was read, or reaches outside of the workbook, comes back as its value', async () => {
  const lost = [
    'Base!A1',
    "'Base'!A1",
    '[1]Notas!A1',
    "'C:\\x\\[b.xlsx]Notas'!A1",
    "cmd|'/c calc'!A0",
    'SUM(Base:Outra!A1)',
    'Limite*2',
    'Dobro*2',
    'Tabela1[Valor]',
    '_xlfn.WEBSERVICE("http://x")',
    'INDIRECT("Base!A1")',
    "'a\"'!A1&amp;cmd|'x'!A0&amp;'b\"'!A1",
    "''''''''''''''''''''''''''''''''''''''''''''''''!",
  ]
  const kept = ['A1+1', 'Outra!A1', "'Outra'!$A$1", 'SUM(Notas!A1:A5)', 'Taxa*2', '"Base!A1|"', 'IF(A1=1,#N/A,2)']
  const names =
    '<definedNames><definedName name="Limite">Base!$A$1</definedName><definedName name="Dobro">Limite*2</definedName>' +
    '<definedName name="Taxa">Outra!$A$1</definedName><definedName name="_xlnm.Print_Area" localSheetId="2">Outra!$A$1:$B$2</definedName>' +
    '<definedName name="_xlnm.Print_Area" localSheetId="0">Base!$A$1</definedName><definedName name="Fora">[1]x!$A$1</definedName></definedNames>'
  const given = workbookWith({ 'xl/worksheets/sheet2.xml': sheet(formulas(...lost, ...kept)) })
  given['xl/workbook.xml'] = (given['xl/workbook.xml'] as string).replace('</sheets>', `</sheets>${names}`)
  const parts = await passed(given)

  expect(formulasIn(parts['xl/worksheets/sheet2.xml']!)).toEqual([...lost.map(() => undefined), ...kept])
  expect(parts['xl/workbook.xml']!.match(/<definedName .*<\/definedName>/)![0]).toBe(
    '<definedName name="Taxa">Outra!$A$1</definedName>' +
      '<definedName name="_xlnm.Print_Area" localSheetId="2">Outra!$A$1:$B$2</definedName>',
  )
})

test('cells that share a formula lose it together', async () => {
  const shared = (si: number, text: string) =>
    `<c r="A1"><f t="shared" ref="A1:B1" si="${si}">${text}</f><v>1</v></c><c r="B1"><f t="shared" si="${si}"/><v>2</v></c>`
  const rows = (text: string) => sheet(`<row r="1">${shared(0, text)}</row>`)
  const parts = await passed(
    workbookWith({ 'xl/worksheets/sheet2.xml': rows('Base!A1'), 'xl/worksheets/sheet3.xml': rows('C1*2') }),
  )
  expect(parts['xl/worksheets/sheet2.xml']).not.toContain('<f')
  expect(parts['xl/worksheets/sheet3.xml']!.match(/<f /g)).toHaveLength(2)
})

test("days that are counted from 1904 are moved, and the caller's styles keep their fonts", async () => {
  const styles =
    `<styleSheet xmlns="${main}"><fonts count="1"><font><name val="Arial"/></font></fonts><cellXfs count="2">` +
    '<xf numFmtId="0" fontId="0"/><xf numFmtId="14" fontId="7"/></cellXfs><dxfs count="1"><dxf><font><b/></font></dxf></dxfs></styleSheet>'
  const given = workbookWith({
    'xl/styles.xml': styles,
    'xl/worksheets/sheet2.xml': sheet('<row r="1"><c r="A1" s="1"><v>100</v></c><c r="B1" s="9"><v>100</v></c></row>'),
  })
  given['xl/workbook.xml'] = (given['xl/workbook.xml'] as string).replace(
    '<sheets>',
    '<workbookPr date1904="1"/><sheets>',
  )
  const parts = await passed(given)
  expect(parts['xl/worksheets/sheet2.xml']).toContain(
    `<c r="A1" s="${otherStyleNumber(1)}"><v>1562</v></c><c r="B1"><v>100</v></c>`,
  )
  expect(parts['xl/styles.xml']).toContain('<fonts count="5"><font><name val="Arial"/></font>')
  expect(parts['xl/styles.xml']).toContain('<xf numFmtId="14" fontId="0"/></cellXfs>')
  expect(parts['xl/styles.xml']).toContain('<dxfs count="1"><dxf><font><b/></font></dxf></dxfs>')
})

const withDrawing = (anchors: string, rels: string, others: Parts = {}): Parts =>
  workbookWith({
    'xl/worksheets/sheet2.xml': sheet('', '<drawing r:id="rId1"/>'),
    'xl/worksheets/_rels/sheet2.xml.rels': relationshipsXml({ '../drawings/a.xml': 'drawing' }),
    'xl/drawings/a.xml': `<xdr:wsDr ${drawing} xmlns:r="${relations}">${anchors}</xdr:wsDr>`,
    'xl/drawings/_rels/a.xml.rels': rels,
    ...others,
  })
const anchor = (content: string) => `<xdr:oneCellAnchor>${content}</xdr:oneCellAnchor>`

test('of a drawing what needs a macro, a link to a file or another part is left out, and the rest comes back', async () => {
  const anchors = [
    anchor('<xdr:pic macro="[0]!m"><a:blip r:embed="rId1"/></xdr:pic>'),
    anchor('<xdr:pic><a:blip r:link="rId2"/></xdr:pic>'),
    anchor('<xdr:sp textlink="Base!A1"><a:hlinkClick r:id="rId3"/><a:t>fica</a:t></xdr:sp>'),
    anchor('<a:relIds r:dm="rId4"/>'),
  ]
  const rels = relationshipsXml({ '../media/../media/image1.png': 'image' }).replace(
    '</Relationships>',
    `<Relationship Id="rId2" Type="${relations}/image" Target="http://x/y.png" TargetMode="External"/>` +
      `<Relationship Id="rId3" Type="${relations}/hyperlink" Target="file:///etc/passwd" TargetMode="External"/></Relationships>`,
  )
  const parts = await passed(withDrawing(anchors.join(''), rels, { 'xl/media/image1.png': 'PNG' }))
  const [name] = Object.keys(parts).filter((each) => parts[each]!.includes('wsDr'))
  expect(parts[name!]!.match(/<xdr:oneCellAnchor>.*?<\/xdr:oneCellAnchor>/g)).toEqual([
    anchor('<xdr:pic macro=""><a:blip r:embed="rId1"/></xdr:pic>'),
    anchor('<xdr:sp><a:t>fica</a:t></xdr:sp>'),
  ])
  expect(JSON.stringify(parts)).not.toContain('passwd')
  expect(parts['[Content_Types].xml']).toContain('ContentType="image/png"')
})

test('a chart of the sheet that was read keeps its figures, and loses the cells that they came from', async () => {
  const series =
    '<c:ser><c:tx><c:strRef><c:f>Base!$A$1</c:f><c:strCache><c:pt idx="0"><c:v>Limite</c:v></c:pt></c:strCache></c:strRef></c:tx>' +
    '<c:val><c:numRef><c:f>Base!$A$2</c:f><c:numCache><c:pt idx="0"><c:v>7</c:v></c:pt></c:numCache></c:numRef></c:val>' +
    '<c:val><c:numRef><c:f>Notas!$A$2</c:f></c:numRef></c:val></c:ser>'
  const parts = await passed(
    withDrawing(anchor('<c:chart r:id="rId1"/>'), relationshipsXml({ '../charts/c.xml': 'chart' }), {
      'xl/charts/c.xml': `<c:chartSpace xmlns:c="urn:c"><c:chart>${series}</c:chart><c:externalData/></c:chartSpace>`,
    }),
  )
  expect(Object.values(parts).find((xml) => xml.includes('chartSpace'))).toContain(
    '<c:chart><c:ser><c:tx><c:v>Limite</c:v></c:tx><c:val><c:numLit><c:pt idx="0"><c:v>7</c:v></c:pt></c:numLit></c:val>' +
      '<c:val><c:numRef><c:f>Notas!$A$2</c:f></c:numRef></c:val></c:ser></c:chart></c:chartSpace>',
  )
})

test('macros, other workbooks, connections and names that leave the package do not come back', async () => {
  const rels = relationshipsXml({
    '../vbaProject.bin': 'vbaProject',
    '../externalLinks/externalLink1.xml': 'externalLink',
    '../embeddings/a.bin': 'oleObject',
    '../printerSettings/p.bin': 'printerSettings',
    '../../../../etc/passwd.png': 'image',
    '../media/../../../x.png': 'image',
    '../pivotTables/p.xml': 'pivotTable',
  })
  const after =
    '<picture r:id="rId5"/><oleObjects><oleObject r:id="rId3"/></oleObjects><controls><control r:id="rId3"/></controls>' +
    '<hyperlinks><hyperlink ref="A1" r:id="rId2"/><hyperlink ref="A2" location="Base!A1"/></hyperlinks>'
  const parts = await passed(
    workbookWith({
      'xl/worksheets/sheet2.xml': sheet('', after),
      'xl/worksheets/_rels/sheet2.xml.rels': rels,
      'xl/vbaProject.bin': 'macro',
      'xl/externalLinks/externalLink1.xml': '<x/>',
      'xl/embeddings/a.bin': 'ole',
      'xl/calcChain.xml': '<x/>',
      'xl/connections.xml': '<x/>',
      'xl/printerSettings/p.bin': 'x',
      'xl/pivotTables/p.xml': '<x/>',
    }),
  )
  expect(parts['xl/worksheets/sheet2.xml']?.replace(/^.*\n/, '')).toBe(
    sheet('').replace('<sheetData></sheetData>', '<sheetData/>'),
  )
  expect(Object.keys(parts).sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'docProps/app.xml',
    'docProps/core.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
    'xl/worksheets/sheet2.xml',
    'xl/worksheets/sheet3.xml',
  ])
})

test.each([
  ['a character that XML lacks', sheet('<row r="1"><c r="A1" t="str"><v>&#1;</v></c></row>')],
  ['a prefix without a namespace', sheet('<row r="1"><c r="A1" z:a="1"><v>1</v></c></row>')],
  ['an entity', sheet('<row r="1"><c r="A1"><v>&e;</v></c></row>')],
  ['a document type', `<!DOCTYPE x [<!ENTITY e "x">]>${sheet('')}`],
  ['an end in the middle', sheet('<row r="1"><c r="A1"><v>1</v></c></row>').slice(0, -40)],
  ['rows without order', sheet('<row r="2"/><row r="1"/>')],
  ['a text that cannot be', sheet('<row r="1"><c r="A1" t="s"><v>-3</v></c></row>')],
])('a sheet with %s says so in its last row, and the other one comes back', async (_, xml) => {
  const intact = sheet('<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>')
  const parts = await passed(workbookWith({ 'xl/worksheets/sheet2.xml': xml, 'xl/worksheets/sheet3.xml': intact }))
  expect(parts['xl/worksheets/sheet2.xml']).toMatch(/workbook_damaged|forbidden_xml/)
  expect(parts['xl/worksheets/sheet3.xml']).toContain('<f>1+1</f>')
})

test('the limits of the reader hold for what is copied', async () => {
  const image = `<Relationship Id="a" Type="${relations}/image" Target="x"/>`
  const many = relationshipsXml({}).replace('</', `${image.repeat(2_000)}</`)
  const wide = sheet(`<row r="1">${'<c><v>1</v></c>'.repeat(2_000)}</row>`, '<drawing r:id="a"/>')
  const given = workbookWith({
    'xl/worksheets/sheet2.xml': wide,
    'xl/worksheets/_rels/sheet2.xml.rels': many,
    'xl/worksheets/sheet3.xml': sheet('<row r="1"><c t="s"><v>19999999</v></c></row>'),
  })
  const parts = await passed(given, { xmlUnit: 10_000, relationships: 1_000, sharedStrings: 1_000 })
  expect(parts['xl/worksheets/sheet2.xml']).toContain('workbook_large')
  expect(parts['xl/worksheets/sheet2.xml']).not.toContain('drawing')
  expect(parts['xl/worksheets/sheet3.xml']).toContain('cell_contradicts')

  const large = await passed(given, { copiedPart: 10 })
  expect(large['xl/worksheets/sheet3.xml']).toContain('workbook_large')
})
